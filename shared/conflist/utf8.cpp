// SPDX-License-Identifier: Apache-2.0
#include "conflist/utf8.h"

namespace firstwatch::conflist {
namespace {

quint8 byteAt(QByteArrayView text, qsizetype offset)
{
    return offset < text.size() ? quint8(text[offset]) : quint8(0);
}

bool continues(quint8 byte)
{
    return (byte & 0xC0) == 0x80;
}

// The second byte is where overlong forms, surrogates and values above U+10FFFF are told apart.
bool secondFits(quint8 lead, quint8 second)
{
    switch (lead) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return continues(second);
    }
}

qsizetype claimedLength(quint8 lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

} // namespace

qsizetype utf8Length(QByteArrayView text, qsizetype offset)
{
    const quint8 lead = byteAt(text, offset);
    const qsizetype length = claimedLength(lead);
    if (length > 1 && !secondFits(lead, byteAt(text, offset + 1)))
        return 0;
    for (qsizetype i = 2; i < length; ++i) {
        if (!continues(byteAt(text, offset + i)))
            return 0;
    }
    return length;
}

qsizetype firstInvalidUtf8(QByteArrayView text)
{
    for (qsizetype offset = 0; offset < text.size();) {
        const qsizetype length = utf8Length(text, offset);
        if (length == 0)
            return offset;
        offset += length;
    }
    return -1;
}

char32_t codePointAt(QByteArrayView text, qsizetype offset)
{
    const qsizetype length = utf8Length(text, offset);
    if (length == 0)
        return U'\uFFFD';
    const quint8 lead = byteAt(text, offset);
    char32_t point = length == 1 ? lead : lead & (0x7F >> length);
    for (qsizetype i = 1; i < length; ++i)
        point = (point << 6) | (byteAt(text, offset + i) & 0x3F);
    return point;
}

} // namespace firstwatch::conflist
