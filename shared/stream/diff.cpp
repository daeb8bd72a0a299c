// SPDX-License-Identifier: Apache-2.0
#include "stream/diff.h"

#include <algorithm>

namespace firstwatch::stream {
namespace {

constexpr qsizetype pageUnits = 32LL * 1024; // each takes at most six bytes of JSON

// Not between the two halves of a pair, of which neither is a character.
qsizetype pageEnd(const QString &text, qsizetype from, qsizetype units)
{
    const qsizetype end = std::min(from + units, text.size());
    return end > from && end < text.size() && text[end - 1].isHighSurrogate() ? end - 1 : end;
}

qsizetype offsetOf(const QJsonObject &page)
{
    return qsizetype(page[QLatin1String("offset")].toInteger(-1));
}

Diff headOf(const QJsonObject &page)
{
    Diff diff{ quint64(std::max<qint64>(page[QLatin1String("seq")].toInteger(), 0)),
        page[QLatin1String("boot")].toString().toLatin1(), page[QLatin1String("file")].toString(), {}, {}, false,
        page[QLatin1String("truncated")].toBool() };
    diff.knowsTheirs = page[QLatin1String("theirs")].isString();
    return diff;
}

} // namespace

QJsonObject diffPage(const Diff &diff, qsizetype offset)
{
    const qsizetype ours = diff.ours.size();
    const qsizetype from = std::min(offset, ours);
    const qsizetype to = pageEnd(diff.ours, from, pageUnits);
    const qsizetype theirsFrom = std::max<qsizetype>(offset - ours, 0);
    const qsizetype theirsTo = to < ours ? theirsFrom : pageEnd(diff.theirs, theirsFrom, pageUnits - (to - from));
    const qsizetype next = to + theirsTo;
    return { { QStringLiteral("boot"), QString::fromLatin1(diff.boot) }, { QStringLiteral("seq"), qint64(diff.seq) },
        { QStringLiteral("file"), diff.file }, { QStringLiteral("truncated"), diff.isTruncated },
        { QStringLiteral("offset"), offset }, { QStringLiteral("ours"), diff.ours.mid(from, to - from) },
        { QStringLiteral("theirs"),
            diff.knowsTheirs ? QJsonValue(diff.theirs.mid(theirsFrom, theirsTo - theirsFrom)) : QJsonValue() },
        { QStringLiteral("more"), next < diff.size() }, { QStringLiteral("next"), next } };
}

DiffReader::Took DiffReader::take(const QJsonObject &page)
{
    constexpr qsizetype most = 2 * longestDiff;
    const Diff head = headOf(page);
    const qsizetype offset = offsetOf(page);
    const bool isBegin = offset == 0;
    const bool goesOn = m_isOpen && offset == m_diff.size() && head.seq == m_diff.seq && head.boot == m_diff.boot;
    if (head.seq == 0 || !(isBegin || goesOn))
        return Took::Nothing;
    if (isBegin)
        m_diff = head;
    m_diff.ours += page[QLatin1String("ours")].toString();
    m_diff.theirs += page[QLatin1String("theirs")].toString();
    m_isOpen = page[QLatin1String("more")].toBool() && m_diff.size() > offset && m_diff.size() <= most;
    return m_isOpen ? Took::Piece : Took::Last;
}

} // namespace firstwatch::stream
