// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"
#include "stream/capture.h"

#include <QByteArray>
#include <QList>

#include <deque>
#include <map>
#include <vector>

namespace firstwatch::ui {

// A line of a list of events: an event, a hole in the numbers (a gap), or the place where another run begins.
struct EventRow {
    enum class Type : quint8 { Event, Gap, Run };

    journal::Event event; // of a gap the one behind it, of a run its first
    QByteArray folded; // foldedText() of what there is to read; empty until it is made
    quint32 file = 0; // number of a text
    quint32 via = 0;
    quint32 run = 0;
    quint32 gap = 0; // of a gap its number
    Type type = Type::Event;
};

// Events of several runs in the order in which they came, with gaps and runs as lines between them.
class EventRows {
public:
    struct Run {
        QByteArray boot;
        qint64 startNs = 0; // t_ns of its first event that is known, where its time is counted from
        qint64 provenNs = 0; // of its first proof; 0: none yet
    };

    // Gaps of the last run. They are put before the next event of it that is behind them; false when one of them has
    // its place before an event that is listed already.
    [[nodiscard]] bool setGaps(const QList<stream::Manifest::Gap> &gaps);
    // What comes next: rows that are not listed yet.
    [[nodiscard]] std::vector<EventRow> made(const QList<journal::Event> &events, const QByteArray &lastBoot);
    void append(std::vector<EventRow> rows);
    void removeFirst(int count);
    void clear();

    [[nodiscard]] int size() const { return int(m_rows.size()); }
    [[nodiscard]] const EventRow &at(int row) const { return m_rows[size_t(row)]; }
    [[nodiscard]] EventRow &at(int row) { return m_rows[size_t(row)]; }
    [[nodiscard]] const QString &file(const EventRow &row) const { return m_texts[row.file]; }
    [[nodiscard]] const QString &via(const EventRow &row) const { return m_texts[row.via]; }
    [[nodiscard]] const QString &text(quint32 number) const { return m_texts[number]; }
    [[nodiscard]] const Run &run(const EventRow &row) const { return m_runs[row.run]; }
    [[nodiscard]] const stream::Manifest::Gap &gap(const EventRow &row) const { return m_gaps[qsizetype(row.gap)]; }
    [[nodiscard]] qint64 offsetNs(const EventRow &row) const { return row.event.tNs - run(row).startNs; }

    // Of the first row with an event from `row` on that is `event`; -1: none.
    [[nodiscard]] int find(const journal::Event &event) const;
    // How many events stand from `row` on.
    [[nodiscard]] int eventsFrom(int row) const;

private:
    [[nodiscard]] quint32 numberOf(const QString &text);
    void enterRun(const journal::Event &event, std::vector<EventRow> &rows);
    void passGaps(const journal::Event &event, std::vector<EventRow> &rows);
    [[nodiscard]] EventRow rowOf(const journal::Event &event);
    [[nodiscard]] quint32 viaOf(const journal::Event &event, quint32 file);

    std::deque<EventRow> m_rows; // grows without a copy, and without room that is not used
    std::vector<QString> m_texts{ QString() };
    std::map<QString, quint32> m_numbers{ { QString(), 0 } }; // of texts
    std::vector<Run> m_runs;
    std::map<quint32, quint32> m_foundBy; // file -> how its last change was found, both as numbers of texts
    QList<stream::Manifest::Gap> m_gaps;
    qsizetype m_placed = 0; // gaps that have a row
    quint64 m_lastSeq = 0; // of the last run
};

} // namespace firstwatch::ui
