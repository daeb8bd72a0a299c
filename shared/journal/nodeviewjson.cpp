// SPDX-License-Identifier: Apache-2.0
// A view as JSON and back: each part is described once, as a list of its fields with their names.
#include "journal/nodeview.h"

#include <tuple>

namespace firstwatch::journal {
namespace {

template <typename Part, typename Value> struct Field {
    QLatin1String name;
    Value Part::*value;
};
template <typename Part, typename Value> Field(QLatin1String, Value Part::*) -> Field<Part, Value>;

constexpr QLatin1String operator""_l1(const char *text, size_t size)
{
    return QLatin1String(text, qsizetype(size));
}

constexpr std::tuple processFields{ Field{ "node"_l1, &NodeView::Process::node },
    Field{ "version"_l1, &NodeView::Process::version }, Field{ "net_dir"_l1, &NodeView::Process::netDir },
    Field{ "pid"_l1, &NodeView::Process::pid }, Field{ "started_ns"_l1, &NodeView::Process::startedNs },
    Field{ "started_wall_us"_l1, &NodeView::Process::startedWallUs },
    Field{ "stop_summary"_l1, &NodeView::Process::stopSummary } };

constexpr std::tuple watchFields{ Field{ "backend"_l1, &NodeView::Watch::backend },
    Field{ "witness"_l1, &NodeView::Watch::witness }, Field{ "trouble"_l1, &NodeView::Watch::trouble },
    Field{ "armed_ns"_l1, &NodeView::Watch::armedNs }, Field{ "proven_ns"_l1, &NodeView::Watch::provenNs },
    Field{ "probe_us"_l1, &NodeView::Watch::probeUs } };

constexpr std::tuple passFields{ Field{ "pass"_l1, &NodeView::Pass::number },
    Field{ "reason"_l1, &NodeView::Pass::reason }, Field{ "evidence"_l1, &NodeView::Pass::evidence },
    Field{ "began_ns"_l1, &NodeView::Pass::beganNs }, Field{ "ended_ns"_l1, &NodeView::Pass::endedNs },
    Field{ "files"_l1, &NodeView::Pass::files }, Field{ "patched"_l1, &NodeView::Pass::patched },
    Field{ "missed"_l1, &NodeView::Pass::missed }, Field{ "margin_ns"_l1, &NodeView::Pass::marginNs } };

constexpr std::tuple patchFields{ Field{ "file"_l1, &NodeView::Patch::file }, Field{ "t_ns"_l1, &NodeView::Patch::tNs },
    Field{ "wall_us"_l1, &NodeView::Patch::wallUs } };

constexpr std::tuple counterFields{ Field{ "passes"_l1, &NodeView::Counters::passes },
    Field{ "missed"_l1, &NodeView::Counters::missed }, Field{ "changes"_l1, &NodeView::Counters::changes },
    Field{ "patched"_l1, &NodeView::Counters::patched }, Field{ "repatched"_l1, &NodeView::Counters::repatched },
    Field{ "recovered"_l1, &NodeView::Counters::recovered }, Field{ "failed"_l1, &NodeView::Counters::failed },
    Field{ "undone"_l1, &NodeView::Counters::undone }, Field{ "overflows"_l1, &NodeView::Counters::overflows },
    Field{ "lost"_l1, &NodeView::Counters::lost }, Field{ "rotations"_l1, &NodeView::Counters::rotations } };

QJsonValue jsonOf(const QString &value)
{
    return value;
}
QJsonValue jsonOf(qint64 value)
{
    return value;
}
QJsonValue jsonOf(const std::optional<qint64> &value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}

void read(const QJsonValue &json, QString &value)
{
    value = json.toString();
}
void read(const QJsonValue &json, qint64 &value)
{
    value = json.toInteger();
}
void read(const QJsonValue &json, std::optional<qint64> &value)
{
    value = json.isDouble() ? std::optional(json.toInteger()) : std::nullopt;
}

template <typename Part, typename Fields> QJsonObject partJson(const Part &part, const Fields &fields)
{
    QJsonObject json;
    std::apply([&](const auto &...field) { (json.insert(field.name, jsonOf(part.*(field.value))), ...); }, fields);
    return json;
}

template <typename Part, typename Fields> void readPart(const QJsonValue &json, const Fields &fields, Part &part)
{
    std::apply([&](const auto &...field) { (read(json[field.name], part.*(field.value)), ...); }, fields);
}

} // namespace

QJsonObject NodeView::toJson() const
{
    return { { "boot"_l1, QString::fromUtf8(boot) }, { "seq"_l1, qint64(seq) }, { "t_ns"_l1, tNs },
        { "wall_us"_l1, wallUs }, { "state"_l1, state.toJson() }, { "process"_l1, partJson(process, processFields) },
        { "watch"_l1, partJson(watch, watchFields) }, { "first_pass"_l1, partJson(firstPass, passFields) },
        { "last_pass"_l1, partJson(lastPass, passFields) }, { "last_patch"_l1, partJson(lastPatch, patchFields) },
        { "counters"_l1, partJson(counters, counterFields) },
        { "token"_l1, QJsonObject{ { "expires"_l1, jsonOf(tokenExpires) }, { "rotated_ns"_l1, tokenNs } } } };
}

NodeView NodeView::fromJson(const QJsonObject &json)
{
    NodeView view;
    view.boot = json["boot"_l1].toString().toUtf8();
    view.seq = quint64(json["seq"_l1].toInteger());
    view.tNs = json["t_ns"_l1].toInteger();
    view.wallUs = json["wall_us"_l1].toInteger();
    view.state = NodeState::fromJson(json["state"_l1].toObject());
    readPart(json["process"_l1], processFields, view.process);
    readPart(json["watch"_l1], watchFields, view.watch);
    readPart(json["first_pass"_l1], passFields, view.firstPass);
    readPart(json["last_pass"_l1], passFields, view.lastPass);
    readPart(json["last_patch"_l1], patchFields, view.lastPatch);
    readPart(json["counters"_l1], counterFields, view.counters);
    read(json["token"_l1]["expires"_l1], view.tokenExpires);
    view.tokenNs = json["token"_l1]["rotated_ns"_l1].toInteger();
    return view;
}

} // namespace firstwatch::journal
