// SPDX-License-Identifier: Apache-2.0
#include "journal/shownname.h"

#include <QChar>
#include <QList>

#include <algorithm>

namespace firstwatch::journal {
namespace {

// Control, format (bidi, zero width), separator, surrogate, private and unassigned: what a screen would obey or hide.
bool isShowable(char32_t point)
{
    switch (QChar::category(point)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return false;
    default:
        return true;
    }
}

QString escapedByte(uchar byte)
{
    return QStringLiteral("\\x%1").arg(byte, 2, 16, QLatin1Char('0'));
}

QString escapedPoint(char32_t point)
{
    return point < 0x80 ? escapedByte(uchar(point))
                        : QStringLiteral("\\u{%1}").arg(uint(point), 4, 16, QLatin1Char('0'));
}

qsizetype sequenceLength(uchar lead)
{
    if (lead < 0x80)
        return 1;
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
}

// The character that starts at `at`, or an empty text when the bytes there are not UTF-8. Encoding it again tells: a
// decoder replaces what it cannot read.
QString characterAt(const QByteArray &name, qsizetype at)
{
    const QByteArray piece = name.mid(at, sequenceLength(uchar(name.at(at))));
    const QString text = QString::fromUtf8(piece);
    return text.toUtf8() == piece ? text : QString();
}

bool isPlain(char c)
{
    return c >= ' ' && c <= '~' && c != '\\';
}

} // namespace

QString shownName(const QByteArray &name)
{
    if (std::all_of(name.cbegin(), name.cend(), isPlain))
        return QString::fromLatin1(name);
    QString shown;
    for (qsizetype at = 0; at < name.size();) {
        const QString character = characterAt(name, at);
        if (character.isEmpty() || name.at(at) == '\\') {
            shown += escapedByte(uchar(name.at(at)));
            ++at;
        } else {
            shown += shownText(character);
            at += sequenceLength(uchar(name.at(at)));
        }
    }
    return shown;
}

QString shownText(const QString &text)
{
    const auto isPlain = [](QChar c) { return c >= u' ' && c <= u'~'; };
    if (std::all_of(text.cbegin(), text.cend(), isPlain)) // most of what is ever shown
        return text;
    QString shown;
    shown.reserve(text.size());
    for (const char32_t point : text.toUcs4())
        shown += isShowable(point) ? QString::fromUcs4(&point, 1) : escapedPoint(point);
    return shown;
}

} // namespace firstwatch::journal
