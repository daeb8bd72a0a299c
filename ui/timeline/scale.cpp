// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/scale.h"

#include <algorithm>
#include <cmath>

namespace firstwatch::ui {
namespace {

constexpr qint64 shortestFoldNs = 1'000'000;
constexpr int rounds = 8; // of finding a scale: each piece that is too short to see takes some from the others

// Every moment at which something begins, ends or happens.
QList<qint64> momentsOf(const Timeline &timeline)
{
    QList<qint64> moments{ 0, timeline.endNs };
    for (const Lane &lane : timeline.lanes) {
        for (const Mark &mark : lane.marks)
            moments.append(mark.atNs);
        for (const Bar &bar : lane.bars) {
            moments.append(bar.fromNs);
            if (!bar.isOpen)
                moments.append(bar.toNs);
        }
    }
    std::sort(moments.begin(), moments.end());
    return moments;
}

// The start is what the picture is about: idling for longer than it took is of no interest.
qint64 startNs(const Timeline &timeline)
{
    for (const Lane &lane : timeline.lanes) {
        for (const Bar &bar : lane.bars) {
            if (bar.kind == Bar::Kind::Pass)
                return std::max(
                    { bar.toNs, timeline.blind.isEmpty() ? 0 : timeline.blind.first().toNs, shortestFoldNs });
        }
    }
    return std::max(timeline.endNs, shortestFoldNs);
}

int countBetween(const QList<qint64> &moments, qint64 afterNs, qint64 beforeNs)
{
    return int(std::count_if(
        moments.cbegin(), moments.cend(), [&](qint64 moment) { return moment > afterNs && moment < beforeNs; }));
}

// 1, 2 or 5 times a power of ten.
qint64 roundStep(double leastNs)
{
    const double power = std::pow(10.0, std::floor(std::log10(std::max(leastNs, 1.0))));
    for (const double factor : { 1.0, 2.0, 5.0 }) {
        if (factor * power >= leastNs)
            return qint64(factor * power);
    }
    return qint64(10 * power);
}

} // namespace

Scale::Scale(const Timeline &timeline, double width, double breakWidth, double leastPiece)
{
    const QList<qint64> moments = momentsOf(timeline);
    cluster(moments, startNs(timeline));
    keepWhatFits(moments, width, breakWidth, leastPiece);
    stretch(width, breakWidth, leastPiece);
    place(breakWidth);
}

void Scale::cluster(const QList<qint64> &moments, qint64 longestIdleNs)
{
    for (const qint64 moment : moments) {
        if (m_pieces.isEmpty() || moment - m_pieces.last().toNs > longestIdleNs) {
            if (!m_pieces.isEmpty())
                m_breaks.append({ 0, moment - m_pieces.last().toNs, 0 });
            m_pieces.append({ moment, moment, 0 });
        }
        m_pieces.last().toNs = moment;
    }
}

// The start always, and of the rest the newest that have room in half of the picture.
void Scale::keepWhatFits(const QList<qint64> &moments, double width, double breakWidth, double leastPiece)
{
    const auto room = qsizetype(width / 2 / (breakWidth + leastPiece));
    const qsizetype most = std::max<qsizetype>(room, 1);
    if (m_pieces.size() - 1 <= most)
        return;
    m_pieces.remove(1, m_pieces.size() - 1 - most);
    m_breaks = m_breaks.last(most);
    m_breaks.first().spanNs = m_pieces[1].fromNs - m_pieces[0].toNs;
    m_breaks.first().marks = countBetween(moments, m_pieces[0].toNs, m_pieces[1].fromNs);
}

// Every piece is shown for at least the least width: a short one with some of the idle time after it.
void Scale::stretch(double width, double breakWidth, double leastPiece)
{
    const double room = std::max(width - breakWidth * double(m_breaks.size()), 1.0);
    for (int round = 0; round < rounds; ++round) {
        double sum = 0;
        for (const Piece &piece : std::as_const(m_pieces))
            sum += std::max(double(piece.toNs - piece.fromNs), leastPiece * m_nsPerUnit);
        m_nsPerUnit = std::max(sum / room, 1.0);
    }
    for (qsizetype i = 0; i < m_pieces.size(); ++i) {
        Piece &piece = m_pieces[i];
        piece.toNs = std::max(piece.toNs, piece.fromNs + qint64(leastPiece * m_nsPerUnit));
        if (i + 1 < m_pieces.size())
            piece.toNs = std::min(piece.toNs, m_pieces[i + 1].fromNs - 1);
    }
}

void Scale::place(double breakWidth)
{
    double x = 0;
    for (qsizetype i = 0; i < m_pieces.size(); ++i) {
        m_pieces[i].x = x;
        x += double(m_pieces[i].toNs - m_pieces[i].fromNs) / m_nsPerUnit;
        if (i < m_breaks.size())
            m_breaks[i].x = x;
        x += breakWidth;
    }
}

double Scale::x(qint64 atNs) const
{
    for (qsizetype i = 0; i < m_pieces.size(); ++i) {
        const Piece &piece = m_pieces[i];
        if (atNs < piece.fromNs)
            return i == 0 ? 0 : m_breaks[i - 1].x;
        if (atNs <= piece.toNs)
            return piece.x + double(atNs - piece.fromNs) / m_nsPerUnit;
    }
    const Piece &last = m_pieces.last();
    return last.x + double(last.toNs - last.fromNs) / m_nsPerUnit;
}

qint64 Scale::at(double x) const
{
    qint64 atNs = m_pieces.first().fromNs;
    for (const Piece &piece : m_pieces) {
        if (x < piece.x)
            break;
        atNs = std::min(piece.fromNs + qint64((x - piece.x) * m_nsPerUnit), piece.toNs);
    }
    return atNs;
}

bool Scale::shows(qint64 atNs) const
{
    return std::any_of(m_pieces.cbegin(), m_pieces.cend(),
        [atNs](const Piece &piece) { return atNs >= piece.fromNs && atNs <= piece.toNs; });
}

QList<Scale::Tick> Scale::ticks(double leastDistance, qint64 zeroNs) const
{
    const qint64 step = roundStep(leastDistance * m_nsPerUnit);
    QList<Tick> ticks;
    for (const Piece &piece : m_pieces) {
        // From below zero upwards, which a division rounds the other way.
        const qint64 before = (piece.fromNs - zeroNs) / step - 1;
        qint64 first = zeroNs + before * step;
        while (first < piece.fromNs)
            first += step;
        for (qint64 at = first; at <= piece.toNs; at += step)
            ticks.append({ x(at), at });
    }
    return ticks;
}

} // namespace firstwatch::ui
