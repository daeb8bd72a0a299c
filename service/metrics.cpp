// SPDX-License-Identifier: Apache-2.0
#include "service/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace firstwatch::service {
namespace {

using journal::FileWord;
using journal::State;
using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Families = std::vector<MetricFamily>;

// What a node says of itself; that it cannot be reached only its clients know.
constexpr State states[]{ State::Ok, State::Waiting, State::Starting, State::Degraded, State::Contested, State::Drift,
    State::Blind, State::Stopped };

MetricFamily &add(Families &families, MetricType type, const char *name, const char *help)
{
    return families.emplace_back(MetricFamily{ std::string("firstwatch_") + name, help, type, {} });
}

ClientMetric &sample(MetricFamily &family, const char *label = nullptr, const std::string &value = {})
{
    ClientMetric &metric = family.metric.emplace_back();
    if (label)
        metric.label.push_back({ label, value });
    return metric;
}

void addGauge(Families &families, const char *name, double value, const char *help)
{
    sample(add(families, MetricType::Gauge, name, help)).gauge.value = value;
}

void addCounter(Families &families, const char *name, qint64 value, const char *help)
{
    sample(add(families, MetricType::Counter, name, help)).counter.value = double(value);
}

double seconds(qint64 ns)
{
    return double(ns) / 1e9;
}

double filesWith(const journal::NodeState &state, FileWord word)
{
    return double(std::count_if(
        state.files().cbegin(), state.files().cend(), [word](const auto &file) { return file.word == word; }));
}

void addState(Families &families, const journal::NodeView &view, qint64 nowNs)
{
    MetricFamily &family =
        add(families, MetricType::Gauge, "state", "The state of the node: 1 for the present word, 0 for the others.");
    const State present = view.state.word(nowNs);
    for (const State each : states)
        sample(family, "state", journal::stateWord(each).data()).gauge.value = each == present ? 1 : 0;
}

void addProof(Families &families, const journal::NodeView &view, qint64 nowNs)
{
    if (view.state.isProven()) {
        addGauge(families, "proof_age_seconds", seconds(nowNs - view.watch.provenNs),
            "Since the watch was last proven by a probe. Absent while it is not proven.");
        addGauge(
            families, "proof_latency_seconds", double(view.watch.probeUs) / 1e6, "From the last probe to its event.");
    }
    if (const std::optional<qint64> margin = view.readyMarginNs())
        addGauge(families, "ready_margin_seconds", seconds(*margin),
            "How long the watch had been proven when the first pass began: above 0, no change of the start was "
            "missed.");
}

void addPatches(Families &families, const journal::NodeView::Counters &counters)
{
    MetricFamily &family = add(families, MetricType::Counter, "patches_total",
        "Patches by result. Recovered ones, which brought out newer text of the owner, count as patched or repatched "
        "too.");
    const std::pair<const char *, qint64> results[]{ { "patched", counters.patched },
        { "repatched", counters.repatched }, { "recovered", counters.recovered }, { "failed", counters.failed },
        { "undone", counters.undone } };
    for (const auto &[result, count] : results)
        sample(family, "result", result).counter.value = double(count);
}

void addWork(Families &families, const MetricsSource &source)
{
    const journal::NodeView::Counters &counters = source.view.counters;
    addCounter(families, "passes_total", counters.passes, "Passes over all configs that had something to say.");
    addPatches(families, counters);
    addCounter(families, "missed_total", counters.missed, "Files that a periodic pass patched and no event told of.");
    addCounter(families, "overflows_total", counters.overflows, "Overflows of the inotify queue.");
    addCounter(families, "rearms_total", source.rearms, "Times that the watch was set up anew.");
}

void addFiles(Families &families, const journal::NodeState &state, qint64 nowNs)
{
    addGauge(families, "drift_files", filesWith(state, FileWord::Drift), "Configs without the plugin.");
    const qint64 sinceNs = state.oldestDriftNs();
    addGauge(families, "drift_age_seconds", sinceNs == 0 ? 0 : seconds(nowNs - sinceNs),
        "For how long the oldest of them has been without it.");
    addGauge(families, "contested_files", filesWith(state, FileWord::Contested),
        "Configs that another writer restores again and again.");
}

void addUnprotected(Families &families, const UnprotectedTime &unprotected)
{
    ClientMetric::Histogram &histogram = sample(add(families, MetricType::Histogram, "unprotected_seconds",
                                                    "From when a change was found to the patch that answered it."))
                                             .histogram;
    histogram.sample_sum = unprotected.sum();
    for (size_t i = 0; i < unprotected.counts().size(); ++i) {
        histogram.sample_count += unprotected.counts().at(i);
        const bool isLast = i == UnprotectedTime::bounds.size();
        histogram.bucket.push_back({ histogram.sample_count,
            isLast ? std::numeric_limits<double>::infinity() : UnprotectedTime::bounds.at(i) });
    }
}

void addToken(Families &families, const journal::NodeView &view, qint64 nowNs, qint64 nowUs)
{
    if (!view.tokenExpires)
        return;
    addGauge(families, "token_age_seconds", seconds(nowNs - view.tokenNs),
        "Since the token in the kubeconfig was last renewed in this run.");
    if (*view.tokenExpires != 0)
        addGauge(families, "token_expires_seconds", double(*view.tokenExpires) - double(nowUs) / 1e6,
            "Until the token expires; below 0 it has. Absent when it never does.");
}

} // namespace

QByteArray metricsText(const MetricsSource &source, qint64 nowNs, qint64 nowUs)
{
    Families families;
    addState(families, source.view, nowNs);
    addProof(families, source.view, nowNs);
    addWork(families, source);
    addFiles(families, source.view.state, nowNs);
    addUnprotected(families, source.unprotected);
    addToken(families, source.view, nowNs, nowUs);
    addGauge(families, "stream_clients", source.stream.clients, "Clients of the stream now.");
    addCounter(families, "stream_gaps_total", source.stream.gaps, "Gaps told to clients of the stream.");
    sample(add(families, MetricType::Gauge, "build_info", "Always 1."), "version", source.version.toStdString())
        .gauge.value = 1;
    std::ostringstream text;
    prometheus::TextSerializer().Serialize(text, families);
    return QByteArray::fromStdString(text.str());
}

} // namespace firstwatch::service
