// SPDX-License-Identifier: Apache-2.0
#include "ui/models/eventrows.h"

#include <algorithm>
#include <iterator>

namespace firstwatch::ui {

using journal::Event;
using journal::Kind;
using stream::Manifest;

namespace {

bool isSame(const Event &left, const Event &right)
{
    return left.seq == right.seq && left.tNs == right.tNs && left.kind == right.kind && left.boot == right.boot;
}

} // namespace

bool EventRows::setGaps(const QList<Manifest::Gap> &gaps)
{
    const bool goesOn = gaps.size() >= m_gaps.size() && std::equal(m_gaps.cbegin(), m_gaps.cend(), gaps.cbegin());
    const bool isBehind = std::all_of(gaps.cbegin() + (goesOn ? m_gaps.size() : 0), gaps.cend(),
        [this](const Manifest::Gap &gap) { return gap.to > m_lastSeq; });
    if (!goesOn || !isBehind)
        return m_rows.empty() ? (m_gaps = gaps, true) : false;
    m_gaps = gaps;
    return true;
}

std::vector<EventRow> EventRows::made(const QList<Event> &events, const QByteArray &lastBoot)
{
    std::vector<EventRow> rows;
    rows.reserve(size_t(events.size()));
    for (const Event &event : events) {
        enterRun(event, rows);
        if (event.boot == lastBoot)
            passGaps(event, rows);
        rows.push_back(rowOf(event));
    }
    return rows;
}

// What was said in the log only (seq 0) belongs to the run that it stands in.
void EventRows::enterRun(const Event &event, std::vector<EventRow> &rows)
{
    if (!m_runs.empty() && (event.seq == 0 || event.boot == m_runs.back().boot))
        return;
    m_runs.push_back({ event.boot, event.tNs, 0 });
    m_foundBy.clear();
    m_lastSeq = 0;
    if (m_runs.size() == 1)
        return;
    EventRow row;
    row.event = event;
    row.run = quint32(m_runs.size() - 1);
    row.type = EventRow::Type::Run;
    rows.push_back(row);
}

void EventRows::passGaps(const Event &event, std::vector<EventRow> &rows)
{
    while (m_placed < m_gaps.size() && event.seq > m_gaps[m_placed].to) {
        EventRow row;
        row.event = event;
        row.run = quint32(m_runs.size() - 1);
        row.gap = quint32(m_placed++);
        row.type = EventRow::Type::Gap;
        rows.push_back(row);
    }
    m_lastSeq = std::max(m_lastSeq, event.seq);
}

EventRow EventRows::rowOf(const Event &event)
{
    EventRow row;
    row.event = event;
    row.file = numberOf(event.fields[QLatin1String("file")].toString());
    row.via = viaOf(event, row.file);
    row.run = quint32(m_runs.size() - 1);
    if (Run &run = m_runs.back(); event.kind == Kind::WatchProven && run.provenNs == 0)
        run.provenNs = event.tNs;
    return row;
}

// A patch was found by what its last change was found by.
quint32 EventRows::viaOf(const Event &event, quint32 file)
{
    switch (event.kind) {
    case Kind::FileChange:
        return m_foundBy[file] = numberOf(event.fields[QLatin1String("via")].toString());
    case Kind::PatchApplied:
    case Kind::PatchFailed:
        return m_foundBy.contains(file) ? m_foundBy.at(file) : 0;
    default:
        return 0;
    }
}

quint32 EventRows::numberOf(const QString &text)
{
    const auto [place, isNew] = m_numbers.emplace(text, quint32(m_texts.size()));
    if (isNew)
        m_texts.push_back(text);
    return place->second;
}

void EventRows::append(std::vector<EventRow> rows)
{
    m_rows.insert(m_rows.end(), std::move_iterator(rows.begin()), std::move_iterator(rows.end()));
}

void EventRows::removeFirst(int count)
{
    m_rows.erase(m_rows.begin(), m_rows.begin() + count);
}

void EventRows::clear()
{
    *this = EventRows();
}

int EventRows::find(const Event &event) const
{
    const auto found = std::find_if(m_rows.cbegin(), m_rows.cend(),
        [&](const EventRow &row) { return row.type == EventRow::Type::Event && isSame(row.event, event); });
    return found == m_rows.cend() ? -1 : int(found - m_rows.cbegin());
}

int EventRows::eventsFrom(int row) const
{
    return int(std::count_if(
        m_rows.cbegin() + row, m_rows.cend(), [](const EventRow &each) { return each.type == EventRow::Type::Event; }));
}

} // namespace firstwatch::ui
