// SPDX-License-Identifier: Apache-2.0
#include "conflist/parsefault.h"

#include "conflist/findingcodes.h"
#include "conflist/position.h"
#include "conflist/utf8.h"

#include <algorithm>
#include <iterator>

namespace firstwatch::conflist {
namespace {

Finding at(QByteArrayView text, qsizetype offset, const QString &what)
{
    const Position position = positionAt(text, offset);
    return { code::notParsed,
        QStringLiteral("Line %1, column %2: %3.").arg(position.line).arg(position.column).arg(what), offset };
}

QString codePointName(char32_t point)
{
    return QStringLiteral("U+%1").arg(quint32(point), 4, 16, QLatin1Char('0')).toUpper();
}

// Invisible characters are named, because the reader of the message cannot see them in an editor.
QString characterName(QByteArrayView text, qsizetype offset)
{
    if (utf8Length(text, offset) == 0)
        return QStringLiteral("the byte 0x%1").arg(uint(quint8(text[offset])), 2, 16, QLatin1Char('0'));
    const char32_t point = codePointAt(text, offset);
    switch (point) {
    case U'\u00A0':
        return QStringLiteral("U+00A0 (no-break space)");
    case U'\u200B':
        return QStringLiteral("U+200B (zero width space)");
    case U'\uFEFF':
        return QStringLiteral("U+FEFF (byte order mark)");
    default:
        return point > 0x20 && point < 0x7F ? QStringLiteral("'%1'").arg(QChar(ushort(point))) : codePointName(point);
    }
}

qsizetype lastVisibleBefore(QByteArrayView text, qsizetype offset)
{
    qsizetype i = offset - 1;
    while (i >= 0 && QByteArrayView(" \t\r\n").contains(text[i]))
        --i;
    return i;
}

} // namespace

Finding emptyFault(QByteArrayView text)
{
    return { code::emptyFile,
        text.isEmpty() ? QStringLiteral("The file is empty; its owner is still writing it, or a crash cut it.")
                       : QStringLiteral("The file holds only blanks; its owner has to write it again."),
        0 };
}

Finding nulFault(QByteArrayView text, qsizetype offset)
{
    const Position position = positionAt(text, offset);
    return { code::nulBytes,
        QStringLiteral("Line %1, column %2: a NUL byte, as a power loss leaves them; let its owner write the "
                       "file again.")
            .arg(position.line)
            .arg(position.column),
        offset };
}

std::optional<Finding> bomFault(QByteArrayView text)
{
    struct Mark {
        QByteArrayView bytes;
        QLatin1String encoding;
    };
    // With their lengths: two of them hold NUL bytes.
    constexpr Mark marks[]{ { { "\xFF\xFE\0\0", 4 }, QLatin1String("UTF-32") },
        { { "\0\0\xFE\xFF", 4 }, QLatin1String("UTF-32") }, { { "\xFF\xFE", 2 }, QLatin1String("UTF-16") },
        { { "\xFE\xFF", 2 }, QLatin1String("UTF-16") } };
    if (text.startsWith(QByteArrayView("\xEF\xBB\xBF")))
        return Finding{ code::byteOrderMark,
            QStringLiteral("The file starts with U+FEFF (byte order mark), which container runtimes refuse; save it "
                           "as UTF-8 without BOM."),
            0 };
    const auto *mark = std::find_if(
        std::begin(marks), std::end(marks), [text](const Mark &each) { return text.startsWith(each.bytes); });
    if (mark == std::end(marks))
        return std::nullopt;
    return Finding{ code::byteOrderMark,
        QStringLiteral("The file is %1, by the byte order mark at its start, and container runtimes read UTF-8 only; "
                       "save it as UTF-8 without BOM (iconv -f %1 -t UTF-8).")
            .arg(mark->encoding),
        0 };
}

Finding depthFault(QByteArrayView text, qsizetype offset)
{
    return at(text, offset, QStringLiteral("nested more than 10 000 deep, which container runtimes refuse"));
}

Finding rangeFault(QByteArrayView text, qsizetype offset)
{
    return at(text, offset, QStringLiteral("a number too large for a float64, which container runtimes refuse"));
}

Finding trailingFault(QByteArrayView text, qsizetype offset)
{
    if (text[offset] == '/' || text[offset] == '#')
        return syntaxFault(text, offset);
    return at(text, offset,
        QStringLiteral("%1 after the end of the JSON value; take it out").arg(characterName(text, offset)));
}

Finding syntaxFault(QByteArrayView text, qsizetype offset)
{
    if (offset >= text.size())
        return at(text, text.size(),
            QStringLiteral("the file ends before its JSON value does; its owner has to write the rest"));
    const char found = text[offset];
    if (found == '/' || found == '#')
        return at(text, offset,
            QStringLiteral("a comment, starting with '%1'; JSON has none, take it out").arg(QLatin1Char(found)));
    const qsizetype before = lastVisibleBefore(text, offset);
    if ((found == '}' || found == ']') && before >= 0 && text[before] == ',')
        return at(text, before, QStringLiteral("a trailing ',' before '%1'; take it out").arg(QLatin1Char(found)));
    return at(
        text, offset, QStringLiteral("%1 is not allowed in JSON here; correct it").arg(characterName(text, offset)));
}

} // namespace firstwatch::conflist
