// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timeline.h"

#include "journal/nodeview.h"
#include "ui/text/units.h"
#include "ui/timeline/fields.h"
#include "ui/timeline/filelane.h"

#include <QMap>

#include <algorithm>

namespace firstwatch::ui {

using journal::Event;
using journal::Kind;

namespace {

constexpr qsizetype mostFacts = 4;
constexpr qint64 longestNs = 1'000'000'000'000'000'000; // thirty years: what an event from outside says may be anything

// The first ones, the last one, and how many there are in between.
QStringList fewer(const QStringList &facts)
{
    if (facts.size() <= mostFacts)
        return facts;
    return facts.first(mostFacts - 1)
        + QStringList{ QStringLiteral("%1 more").arg(facts.size() - mostFacts), facts.last() };
}

class Builder {
public:
    explicit Builder(const QList<Event> &run)
        : m_run(run)
        , m_zeroNs(run.isEmpty() ? 0 : run.first().tNs)
    {
        for (const Event &event : run) {
            m_view.apply(event);
            m_endNs = std::max(m_endNs, at(event));
        }
    }

    Timeline build(const QList<stream::Manifest::Gap> &gaps)
    {
        m_process = { QStringLiteral("process"), {}, {}, {} };
        m_watch = { QStringLiteral("watch"), {}, {}, {} };
        m_pass = { QStringLiteral("pass"), {}, {}, {} };
        m_token = { QStringLiteral("token"), {}, {}, {} };
        m_stream = { QStringLiteral("stream"), {}, {}, {} };
        for (const Event &event : m_run)
            take(event);
        closeWatch(m_endNs, true);
        closePass(m_endNs, true);
        addGaps(gaps);
        return result();
    }

private:
    void take(const Event &event)
    {
        takeProcess(event);
        takeWatch(event);
        takePass(event);
        takeRest(event);
        if (const QString file = textOf(event, "file"); isAboutFile(event.kind) && !file.isEmpty())
            m_files[file].take(event, at(event), inRun(foundNs(event)));
    }

    qint64 at(const Event &event) const { return inRun(event.tNs); }
    qint64 inRun(qint64 tNs) const { return std::clamp<qint64>(tNs - m_zeroNs, 0, longestNs); }

    static Mark mark(Mark::Kind kind, qint64 atNs, const Event &event, const QString &text = {})
    {
        return { kind, atNs, event.seq, text };
    }

    void takeProcess(const Event &event)
    {
        if (event.kind == Kind::ProcessStart) {
            m_process.marks.append(mark(Mark::Kind::Start, at(event), event, textOf(event, "version")));
            if (event.wallUs != 0) // a simulation is at no time
                m_process.facts.append(QStringLiteral("started ") + momentText(event.wallUs));
        } else if (event.kind == Kind::ProcessStop) {
            m_process.marks.append(mark(Mark::Kind::Stop, at(event), event, textOf(event, "summary")));
            m_process.facts.append(QStringLiteral("ended %1: %2").arg(signedText(at(event)), textOf(event, "summary")));
            m_isStopped = true;
        }
    }

    void takeWatch(const Event &event)
    {
        switch (event.kind) {
        case Kind::WatchArmed:
            turnWatch(Bar::Kind::Armed, at(event));
            m_watch.marks.append(mark(Mark::Kind::Armed, at(event), event));
            m_watch.facts.append(QStringLiteral("armed ") + signedText(at(event)));
            break;
        case Kind::WatchProven:
            prove(event);
            break;
        case Kind::WatchLost:
            turnWatch(Bar::Kind::Unwatched, at(event));
            m_watch.marks.append(mark(Mark::Kind::Lost, at(event), event, textOf(event, "reason")));
            m_watch.facts.append(QStringLiteral("lost %1: %2").arg(signedText(at(event)), textOf(event, "reason")));
            break;
        case Kind::WatchPolling:
            turnWatch(Bar::Kind::Polled, at(event));
            m_watch.facts.append(QStringLiteral("polling %1: %2").arg(signedText(at(event)), textOf(event, "reason")));
            break;
        case Kind::ProcessStop:
            turnWatch(Bar::Kind::Unwatched, at(event));
            break;
        default:
            break;
        }
    }

    // The proof is renewed on a timer: only the first of them is news.
    void prove(const Event &event)
    {
        if (m_watchKind == Bar::Kind::Watched)
            return;
        turnWatch(Bar::Kind::Watched, at(event));
        m_watch.marks.append(mark(Mark::Kind::Proven, at(event), event));
        m_watch.facts.append(QStringLiteral("proven %1 (its probe came back in %2 µs)")
                                 .arg(signedText(at(event)))
                                 .arg(numberOf(event, "probe_us")));
    }

    void turnWatch(Bar::Kind kind, qint64 atNs)
    {
        closeWatch(atNs, false);
        m_watchKind = kind;
        m_watchSinceNs = atNs;
    }

    void closeWatch(qint64 atNs, bool isOpen)
    {
        if (atNs > m_watchSinceNs)
            m_watch.bars.append({ m_watchKind, m_watchSinceNs, atNs, isOpen, {} });
    }

    void takePass(const Event &event)
    {
        if (event.kind == Kind::PassBegin) {
            closePass(at(event), false);
            m_passBegin = event;
        } else if (event.kind == Kind::PassEnd && m_passBegin) {
            m_pass.facts.append(
                QStringLiteral("#%1 %2 (%3), %4, %5")
                    .arg(textOf(*m_passBegin, "pass"), signedText(at(*m_passBegin)), textOf(*m_passBegin, "reason"),
                        countText(numberOf(event, "files"), QStringLiteral("file")),
                        spanText(at(event) - at(*m_passBegin))));
            closePass(at(event), false);
        }
    }

    void closePass(qint64 atNs, bool isOpen)
    {
        if (!m_passBegin)
            return;
        m_pass.bars.append({ Bar::Kind::Pass, at(*m_passBegin), atNs, isOpen, textOf(*m_passBegin, "pass") });
        m_passBegin.reset();
    }

    void takeRest(const Event &event)
    {
        switch (event.kind) {
        case Kind::TokenRotated:
            m_token.marks.append(mark(Mark::Kind::Rotated, at(event), event));
            m_token.facts.append(QStringLiteral("rotated ") + signedText(at(event)));
            break;
        case Kind::KubeconfigWritten:
            m_token.marks.append(mark(Mark::Kind::Written, at(event), event));
            m_token.facts.append(QStringLiteral("kubeconfig written ") + signedText(at(event)));
            break;
        case Kind::Overflow:
            m_stream.marks.append(mark(Mark::Kind::Overflow, at(event), event));
            m_stream.facts.append(QStringLiteral("the event queue overflowed ") + signedText(at(event)));
            break;
        default:
            break;
        }
    }

    // A gap is drawn where the first event after it stands.
    void addGaps(const QList<stream::Manifest::Gap> &gaps)
    {
        for (const stream::Manifest::Gap &gap : gaps) {
            const auto next =
                std::find_if(m_run.cbegin(), m_run.cend(), [&](const Event &event) { return event.seq > gap.to; });
            const qint64 atNs = next == m_run.cend() ? m_endNs : at(*next);
            m_stream.marks.append({ Mark::Kind::Gap, atNs, gap.from, gap.why });
            m_stream.facts.append(
                QStringLiteral("events %1 to %2 were not received (%3)").arg(gap.from).arg(gap.to).arg(gap.why));
        }
    }

    Timeline result()
    {
        Timeline timeline;
        timeline.node = m_view.process.node;
        timeline.boot = m_view.boot;
        timeline.startedUs = m_run.isEmpty() ? 0 : m_run.first().wallUs;
        timeline.endNs = m_endNs;
        timeline.marginNs = m_view.readyMarginNs();
        judge(timeline);
        if (!m_run.isEmpty())
            m_process.bars.append({ Bar::Kind::Running, 0, m_endNs, !m_isStopped, {} });
        timeline.lanes = { m_process, m_watch, m_pass };
        for (auto file = m_files.begin(); file != m_files.end(); ++file)
            timeline.lanes.append(file->lane(file.key(), m_endNs));
        timeline.lanes += { m_token, m_stream };
        timeline.lanes.removeIf([](const Lane &lane) { return lane.bars.isEmpty() && lane.marks.isEmpty(); });
        for (Lane &lane : timeline.lanes)
            lane.facts = fewer(lane.facts);
        addBlind(timeline);
        return timeline;
    }

    void judge(Timeline &timeline) const
    {
        using Verdict = Timeline::Verdict;
        if (m_view.firstPass.number == 0) {
            timeline.sentence = QStringLiteral("No pass has begun yet.");
        } else if (!timeline.marginNs) {
            timeline.verdict = Verdict::NoWatch;
            timeline.sentence = m_view.firstPass.evidence == QLatin1String("polling")
                ? QStringLiteral("The first pass went by polling: a change is found up to 2 s late.")
                : QStringLiteral("Nothing says what the first pass went by.");
        } else if (*timeline.marginNs < 0) {
            timeline.verdict = Verdict::NotProven;
            timeline.sentence =
                QStringLiteral("Pass 1 began %1 before the watch existed. Changes made in between are not seen.")
                    .arg(spanText(*timeline.marginNs));
        } else if (m_view.firstPass.evidence == QLatin1String("none")) { // of an installer that proves nothing
            timeline.verdict = Verdict::NotProven;
            timeline.sentence =
                QStringLiteral("Pass 1 began %1 after the watch existed. Nothing had proven that it works.")
                    .arg(spanText(*timeline.marginNs));
        } else {
            timeline.verdict = Verdict::Proven;
            timeline.sentence = QStringLiteral("Pass 1 began %1 after the watch was proven. No change could be missed.")
                                    .arg(spanText(*timeline.marginNs));
        }
    }

    void addBlind(Timeline &timeline) const
    {
        for (const Bar &bar : m_watch.bars) {
            const bool isBlind = bar.kind == Bar::Kind::Unwatched || bar.kind == Bar::Kind::Armed;
            if (!isBlind || (m_isStopped && bar.isOpen))
                continue;
            if (!timeline.blind.isEmpty() && timeline.blind.last().toNs == bar.fromNs)
                timeline.blind.last().toNs = bar.toNs;
            else
                timeline.blind.append({ bar.fromNs, bar.toNs, false, 0, 0, {}, {} });
        }
        for (BlindBand &band : timeline.blind)
            complete(band);
    }

    void complete(BlindBand &band) const
    {
        const auto proof = std::find_if(m_watch.marks.cbegin(), m_watch.marks.cend(),
            [&](const Mark &each) { return each.kind == Mark::Kind::Proven && each.atNs == band.toNs; });
        band.isProven = proof != m_watch.marks.cend();
        if (!band.isProven) // a watch that exists is the most that such a run has
            band.toNs = armedIn(band);
        for (const Bar &pass : m_pass.bars) {
            if (!band.exposedFromNs && pass.fromNs >= band.fromNs && pass.fromNs < band.toNs)
                band.exposedFromNs = pass.fromNs;
        }
        for (const FileLane &file : m_files)
            file.countIn(band);
        band.fact = factOf(band);
    }

    qint64 armedIn(const BlindBand &band) const
    {
        for (const Mark &each : m_watch.marks) {
            if (each.kind == Mark::Kind::Armed && each.atNs > band.fromNs && each.atNs <= band.toNs)
                return each.atNs;
        }
        return band.toNs;
    }

    QString factOf(const BlindBand &band) const
    {
        QString text = QStringLiteral("%1, %2 inside")
                           .arg(spanText(band.toNs - band.fromNs), countText(band.changes, QStringLiteral("change")));
        if (band.neverSeen > 0)
            return text + QStringLiteral(", %1 NEVER SEEN").arg(band.neverSeen);
        const auto cover = std::find_if(
            m_pass.bars.cbegin(), m_pass.bars.cend(), [&](const Bar &pass) { return pass.fromNs >= band.toNs; });
        return cover == m_pass.bars.cend() ? text : text + QStringLiteral(", covered by pass %1").arg(cover->text);
    }

    const QList<Event> &m_run;
    const qint64 m_zeroNs;
    qint64 m_endNs = 0;
    journal::NodeView m_view;
    bool m_isStopped = false;
    Bar::Kind m_watchKind = Bar::Kind::Unwatched;
    qint64 m_watchSinceNs = 0;
    std::optional<Event> m_passBegin;
    Lane m_process;
    Lane m_watch;
    Lane m_pass;
    Lane m_token;
    Lane m_stream;
    QMap<QString, FileLane> m_files;
};

} // namespace

Timeline timelineOf(const QList<Event> &run, const QList<stream::Manifest::Gap> &gaps)
{
    return Builder(run).build(gaps);
}

QString marginTitle(const Timeline &timeline)
{
    return QStringLiteral("Ready margin ")
        + (timeline.marginNs ? signedText(*timeline.marginNs) : QStringLiteral("none"));
}

QString verdictWord(Timeline::Verdict verdict)
{
    switch (verdict) {
    case Timeline::Verdict::Proven:
        return QStringLiteral("PROVEN");
    case Timeline::Verdict::NoPass:
        return QStringLiteral("NO PASS YET");
    case Timeline::Verdict::NotProven:
    case Timeline::Verdict::NoWatch:
        break;
    }
    return QStringLiteral("NOT PROVEN");
}

} // namespace firstwatch::ui
