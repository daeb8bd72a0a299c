// SPDX-License-Identifier: Apache-2.0
#include "service/token.h"

#include "service/textfile.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <fcntl.h>

namespace firstwatch::service {
namespace {

constexpr qsizetype longestToken = 64LL * 1024;
constexpr double lastSecond = 253'402'300'799; // 9999-12-31; what is beyond is no date

std::optional<qint64> numericDate(const QJsonValue &value)
{
    const double seconds = value.toDouble(-1);
    if (seconds < 0 || seconds > lastSecond)
        return {};
    return qint64(seconds);
}

sys::FileDescriptor openDirectoryFollowing(int below, const QByteArray &path)
{
    return sys::FileDescriptor(::openat(below, path.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

bool isVisible(char c)
{
    return c > 0x20 && c < 0x7f;
}

} // namespace

std::optional<qint64> TokenTimes::ageSeconds(qint64 now) const
{
    return issued ? std::optional(now - *issued) : std::nullopt;
}

std::optional<qint64> TokenTimes::secondsLeft(qint64 now) const
{
    return expires ? std::optional(*expires - now) : std::nullopt;
}

bool TokenTimes::isExpired(qint64 now) const
{
    return expires && *expires <= now;
}

TokenTimes tokenTimes(const QByteArray &token)
{
    const QByteArrayList parts = token.split('.');
    if (parts.size() != 3)
        return {};
    const auto payload = QByteArray::fromBase64Encoding(
        parts.at(1), QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!payload)
        return {};
    const QJsonObject claims = QJsonDocument::fromJson(*payload).object();
    return { numericDate(claims.value(u"iat")), numericDate(claims.value(u"exp")) };
}

ServiceAccount ServiceAccount::open(const QByteArray &path)
{
    ServiceAccount account{ openDirectoryFollowing(AT_FDCWD, path) };
    if (!account.isThere())
        return account;
    sys::FileDescriptor generation = openDirectoryFollowing(account.directory.get(), "..data");
    if (generation.isValid())
        account.directory = std::move(generation);
    return account;
}

Token readToken(const ServiceAccount &account)
{
    const TextFile file = readTextFile(account.directory.get(), "token", longestToken);
    if (!file.error.isEmpty())
        return { {}, QStringLiteral("the token cannot be read (%1)").arg(file.error) };
    const QByteArray text = file.text.trimmed();
    if (text.isEmpty())
        return { {}, QStringLiteral("the token is empty") };
    if (!std::all_of(text.begin(), text.end(), isVisible))
        return { {}, QStringLiteral("the token is not one word of printable characters") };
    return { text, {} };
}

} // namespace firstwatch::service
