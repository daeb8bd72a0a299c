// SPDX-License-Identifier: Apache-2.0
#include "patch/temporaryname.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QString>

#include <algorithm>

namespace firstwatch::patch {
namespace {

constexpr char mark[] = ".firstwatch-";
constexpr char keptEnd[] = ".firstwatch-kept";
constexpr qsizetype hashDigits = 16;
constexpr qsizetype randomDigits = 6;
constexpr qsizetype longestName = 200; // + mark + digits < NAME_MAX (255)

bool isHex(QByteArrayView text)
{
    return std::all_of(
        text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace

QByteArray contentHash(const QByteArray &text)
{
    return QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().first(hashDigits);
}

QByteArray temporaryName(const QByteArray &name, const QByteArray &hash)
{
    const QByteArray random = QByteArray::number(QRandomGenerator::global()->generate() & 0xffffffU, 16);
    return '.' + name.first(std::min(name.size(), longestName)) + mark + hash
        + random.rightJustified(randomDigits, '0');
}

std::optional<QByteArray> temporaryHash(const QByteArray &fileName)
{
    const qsizetype at = fileName.lastIndexOf(mark);
    const QByteArray digits =
        at > 0 && fileName.startsWith('.') ? fileName.sliced(at + qsizetype(sizeof mark) - 1) : QByteArray();
    if (digits.size() != hashDigits + randomDigits || !isHex(digits))
        return std::nullopt;
    return digits.first(hashDigits);
}

QByteArray nameOfTemporary(const QByteArray &fileName)
{
    return fileName.sliced(1, fileName.lastIndexOf(mark) - 1);
}

QByteArray keptName(const QByteArray &name)
{
    return '.' + name + keptEnd;
}

QByteArray nameOfKept(const QByteArray &fileName)
{
    if (!fileName.startsWith('.') || !fileName.endsWith(keptEnd))
        return {};
    return fileName.sliced(1, fileName.size() - qsizetype(sizeof keptEnd));
}

} // namespace firstwatch::patch
