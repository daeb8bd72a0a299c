// SPDX-License-Identifier: Apache-2.0
#include "journal/nodeview.h"

namespace firstwatch::journal {
namespace {

QString text(const Event &event, QLatin1String name)
{
    return event.fields[name].toString();
}

qint64 number(const Event &event, QLatin1String name)
{
    return event.fields[name].toInteger();
}

} // namespace

void NodeView::apply(const Event &event)
{
    if (event.seq == 0)
        return; // said in the log only
    if (boot != event.boot)
        begin(event);
    state.apply(event);
    seq = event.seq;
    tNs = event.tNs;
    wallUs = event.wallUs;
    applyProcess(event);
    applyWatch(event);
    applyPass(event);
    count(event);
}

void NodeView::begin(const Event &event)
{
    *this = NodeView();
    boot = event.boot;
}

void NodeView::applyProcess(const Event &event)
{
    if (event.kind == Kind::ProcessStart) {
        process = { text(event, QLatin1String("node")), text(event, QLatin1String("version")),
            text(event, QLatin1String("net_dir")), number(event, QLatin1String("pid")), event.tNs, event.wallUs, {} };
    } else if (event.kind == Kind::ProcessStop) {
        process.stopSummary = text(event, QLatin1String("summary"));
    } else if (event.kind == Kind::TokenRotated) {
        tokenExpires = number(event, QLatin1String("expires"));
        tokenNs = event.tNs;
    }
}

void NodeView::applyWatch(const Event &event)
{
    switch (event.kind) {
    case Kind::WatchArmed:
        watch.backend = text(event, QLatin1String("backend"));
        watch.armedNs = event.tNs;
        break;
    case Kind::WatchProven:
        watch.provenNs = event.tNs;
        watch.probeUs = number(event, QLatin1String("probe_us"));
        watch.trouble.clear();
        break;
    case Kind::WatchWitness:
        watch.witness = text(event, QLatin1String("witness"));
        break;
    case Kind::WatchLost:
    case Kind::WatchPolling:
        watch.trouble = text(event, QLatin1String("reason"));
        break;
    default:
        break;
    }
}

void NodeView::applyPass(const Event &event)
{
    if (event.kind == Kind::PassBegin) {
        Pass pass;
        pass.number = number(event, QLatin1String("pass"));
        pass.reason = text(event, QLatin1String("reason"));
        pass.evidence = text(event, QLatin1String("evidence"));
        pass.beganNs = event.tNs;
        if (const QJsonValue margin = event.fields[QLatin1String("margin_ns")]; margin.isDouble())
            pass.marginNs = margin.toInteger();
        lastPass = pass;
    } else if (event.kind == Kind::PassEnd) {
        lastPass.endedNs = event.tNs;
        lastPass.files = number(event, QLatin1String("files"));
        lastPass.patched = number(event, QLatin1String("patched"));
        lastPass.missed = number(event, QLatin1String("missed"));
    } else {
        return;
    }
    if (firstPass.number == 0 || firstPass.number == lastPass.number)
        firstPass = lastPass;
}

void NodeView::count(const Event &event)
{
    switch (event.kind) {
    case Kind::PassEnd:
        ++counters.passes;
        counters.missed += number(event, QLatin1String("missed"));
        break;
    case Kind::FileChange:
        ++counters.changes;
        break;
    case Kind::PatchApplied:
        ++(event.fields[QLatin1String("repatch")].toBool() ? counters.repatched : counters.patched);
        counters.recovered += event.fields[QLatin1String("recovered")].toBool() ? 1 : 0;
        lastPatch = { text(event, QLatin1String("file")), event.tNs, event.wallUs };
        break;
    case Kind::PatchFailed:
        ++counters.failed;
        break;
    case Kind::PatchUndone:
        ++counters.undone;
        break;
    case Kind::Overflow:
        ++counters.overflows;
        break;
    case Kind::WatchLost:
        ++counters.lost;
        break;
    case Kind::TokenRotated:
        ++counters.rotations;
        break;
    default:
        break;
    }
}

} // namespace firstwatch::journal
