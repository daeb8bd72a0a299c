// SPDX-License-Identifier: Apache-2.0
#include "conflist/cniversion.h"

#include <QByteArrayList>

#include <charconv>

namespace firstwatch::conflist {
namespace {

// strconv.Atoi: a sign and digits, nothing else.
std::optional<qint64> number(QByteArrayView text)
{
    if (text.startsWith('+')) {
        text = text.sliced(1);
        if (text.startsWith('-'))
            return std::nullopt;
    }
    qint64 value = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    return error == std::errc() && end == text.end() ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<CniVersion> parseCniVersion(QByteArrayView text)
{
    if (text.isEmpty())
        return CniVersion{ 0, 1, 0 };
    CniVersion version{};
    for (qint64 &part : version) {
        const qsizetype dot = text.indexOf('.');
        const std::optional<qint64> value = number(dot < 0 ? text : text.first(dot));
        if (!value)
            return std::nullopt;
        part = *value;
        if (dot < 0)
            return version;
        text = text.sliced(dot + 1);
    }
    return std::nullopt;
}

bool isReleasedCniVersion(QByteArrayView text)
{
    return QByteArray(releasedCniVersions).replace(", ", ",").split(',').contains(text.toByteArray());
}

} // namespace firstwatch::conflist
