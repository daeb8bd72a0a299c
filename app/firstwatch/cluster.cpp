// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/cluster.h"

#include "app/firstwatch/live.h"

#include "journal/findingcodes.h"
#include "ui/session/livenode.h"
#include "ui/text/patches.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>

namespace firstwatch::cli {

using fleet::Sweep;

namespace {

namespace code = journal::code;

constexpr qint64 nsPerMs = 1'000'000;
constexpr qint64 usualTimeoutNs = 30'000 * nsPerMs; // for one node
constexpr qint64 waitTimeoutNs = 120'000 * nsPerMs; // for all of them
constexpr int pauseMs = 1000; // between two looks

ui::Node trouble(const QString &source, int code, const QString &words)
{
    ui::Node node;
    node.source = source;
    node.troubleCode = code;
    node.trouble = words;
    return node;
}

ui::Node nodeOf(const Sweep::Report &report)
{
    ui::Node node = trouble(report.node, report.troubleCode, report.trouble);
    node.isLive = true;
    node.view = report.view;
    node.isShortened = report.isShortened;
    node.events = report.events;
    node.diffs = report.diffs;
    node.diffTrouble = report.diffTrouble;
    node.nowUs = journal::wallNowUs();
    node.nowNs = ui::remoteNowNs(report.view);
    if (report.isReached)
        node.trouble.clear();
    if (node.view.process.node.isEmpty()) // its start is not among the events that it still has
        node.view.process.node = report.node;
    return node;
}

QList<ui::Node> look(const ClusterNodes &nodes, const Sweep::Options &options, Call &call)
{
    const QString source = Source{ nodes }.shown();
    QList<ui::Node> found;
    QEventLoop loop;
    Sweep sweep(nodes.cluster, options);
    QObject::connect(&sweep, &Sweep::progressed, &loop, [&] { call.out.progress(sweep.done(), sweep.all()); });
    QObject::connect(&sweep, &Sweep::finished, &loop,
        [&](const QList<Sweep::Report> &reports, const std::optional<fleet::KubectlTrouble> &why) {
            for (const Sweep::Report &report : reports)
                found.append(nodeOf(report));
            if (why)
                found.append(trouble(source, why->code, why->text));
            else if (reports.isEmpty())
                call.out.note(QStringLiteral("FW%1 %2: no Firstwatch pod there").arg(code::noPods).arg(source));
            loop.quit();
        });
    sweep.start();
    loop.exec();
    return found;
}

bool isAsWaitedFor(const QList<ui::Node> &nodes, const Options &options)
{
    return nodes.size() >= std::max(options.require, 1)
        && std::all_of(nodes.cbegin(), nodes.cend(),
            [&](const ui::Node &node) { return node.isReached() && node.word() == *options.wait; });
}

void pause()
{
    QEventLoop loop;
    QTimer::singleShot(pauseMs, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace

QList<ui::Node> askCluster(const ClusterNodes &nodes, Call &call)
{
    const Options &options = call.options;
    Sweep::Options sweep;
    sweep.carrier = nodes.carrier;
    sweep.nodes = nodes.pattern;
    if (options.wantsDiffs)
        sweep.diffsOf = [&options](const auto &events) { return ui::patchSeqs(events, options.filter); };
    QString error;
    if (!linkOptions(options, sweep.client, error))
        return { trouble(Source{ nodes }.shown(), code::keyRefused, error) };
    const qint64 timeoutNs = options.timeoutNs.value_or(options.wait ? waitTimeoutNs : usualTimeoutNs);
    sweep.timeoutMs =
        int(std::clamp<qint64>(std::min(timeoutNs, usualTimeoutNs) / nsPerMs, 1, usualTimeoutNs / nsPerMs));
    QDeadlineTimer deadline;
    deadline.setRemainingTime(std::chrono::nanoseconds(timeoutNs));
    QList<ui::Node> found = look(nodes, sweep, call);
    while (options.wait && !isAsWaitedFor(found, options) && !deadline.hasExpired()) {
        pause();
        found = look(nodes, sweep, call);
    }
    return found;
}

} // namespace firstwatch::cli
