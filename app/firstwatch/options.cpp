// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/options.h"

#include "journal/shownname.h"
#include "ui/text/units.h"

#include <algorithm>
#include <array>

namespace firstwatch::cli {
namespace {

QString wrong(const QByteArray &value, const QString &wayOut)
{
    return QStringLiteral("'%1' cannot be used: %2").arg(journal::shownName(value), wayOut);
}

QString setFrom(Options &options, const QByteArray &value)
{
    options.sources.append({ value });
    return {};
}

QString setSocket(Options &options, const QByteArray &value)
{
    options.sources.append(
        { stream::Endpoint{ stream::Endpoint::Kind::Local, QString::fromLocal8Bit(value), {}, 0, {} } });
    return {};
}

QString setEndpoint(Options &options, const QByteArray &value)
{
    const std::optional<stream::Endpoint> endpoint = stream::tcpEndpoint(QString::fromUtf8(value));
    if (!endpoint)
        return wrong(value, QStringLiteral("give HOST:PORT, such as 127.0.0.1:9911 or [::1]:9911"));
    options.sources.append({ *endpoint });
    return {};
}

template <QString fleet::Cluster::*field> QString setCluster(Options &options, const QByteArray &value)
{
    options.nodes.cluster.*field = QString::fromLocal8Bit(value);
    options.asksCluster = true;
    return {};
}

QString setNode(Options &options, const QByteArray &value)
{
    options.nodes.pattern = QString::fromUtf8(value);
    options.asksCluster = true;
    return {};
}

template <QByteArray Options::*field> QString setBytes(Options &options, const QByteArray &value)
{
    options.*field = value;
    return {};
}

QString setBoot(Options &options, const QByteArray &value)
{
    options.boot = value;
    options.boots.append(value);
    return {};
}

template <bool Options::*field> QString setSwitch(Options &options, const QByteArray &)
{
    options.*field = true;
    return {};
}

// Of both the longer.
template <Help help> QString setHelp(Options &options, const QByteArray &)
{
    options.help = std::max(options.help, help);
    return {};
}

template <std::optional<qint64> Options::*field> QString setSpan(Options &options, const QByteArray &value)
{
    options.*field = ui::spanFromText(QString::fromUtf8(value));
    return options.*field ? QString() : wrong(value, QStringLiteral("give a span of time, such as 90s, 10m or 1h30m"));
}

template <typename Enum, size_t size>
QString setWord(Enum &field, const QByteArray &value, const std::array<const char *, size> &words)
{
    QStringList all;
    for (size_t i = 0; i < size; ++i) {
        if (value == words.at(i)) {
            field = Enum(i);
            return {};
        }
        all += QString::fromLatin1(words.at(i));
    }
    return wrong(value, QStringLiteral("it is one of ") + all.join(QStringLiteral(", ")));
}

QString setCarrier(Options &options, const QByteArray &value)
{
    options.asksCluster = true;
    return setWord(options.nodes.carrier, value, std::array{ "port-forward", "exec" });
}

QString setPlugin(Options &options, const QByteArray &value)
{
    options.preview.pluginFile = value;
    return {};
}

template <QByteArrayList PreviewOptions::*field> QString addTo(Options &options, const QByteArray &value)
{
    (options.preview.*field).append(value);
    return {};
}

template <bool PreviewOptions::*field> QString setPreviewSwitch(Options &options, const QByteArray &)
{
    options.preview.*field = true;
    return {};
}

QString setRace(Options &options, const QByteArray &value)
{
    options.preview.schedule = value;
    return value.isEmpty() ? wrong(value, QStringLiteral("give a file, example:NAME, or list")) : QString();
}

QString setPosition(Options &options, const QByteArray &value)
{
    return setWord(options.preview.position, value, std::array{ "last", "keep" });
}

QString setScope(Options &options, const QByteArray &value)
{
    enum class Scope { All, Active };
    Scope scope = Scope::All;
    const QString error = setWord(scope, value, std::array{ "all", "active" });
    options.preview.activeOnly = scope == Scope::Active;
    return error;
}

QString setRuntime(Options &options, const QByteArray &value)
{
    enum class Wanted { Containerd, CriO, Both };
    Wanted wanted = Wanted::Both;
    const QString error = setWord(wanted, value, std::array{ "containerd", "crio", "both" });
    options.preview.runtime = wanted == Wanted::Both ? std::nullopt : std::optional(conflist::Runtime(wanted));
    return error;
}

QString setColour(Options &options, const QByteArray &value)
{
    return setWord(options.colour, value, std::array{ "auto", "always", "never" });
}

QString setFailOn(Options &options, const QByteArray &value)
{
    return setWord(options.failOn, value, std::array{ "error", "warning", "never" });
}

QString setOutput(Options &options, const QByteArray &value)
{
    options.output = QString::fromUtf8(value);
    return {};
}

QString setWait(Options &options, const QByteArray &value)
{
    const QString word = value.isEmpty() ? QStringLiteral("OK") : QString::fromUtf8(value).toUpper();
    QStringList all;
    for (int state = 0; state <= int(journal::State::Ok); ++state) {
        const QLatin1String name = journal::stateWord(journal::State(state));
        if (word == name)
            options.wait = journal::State(state);
        all += name;
    }
    return options.wait ? QString() : wrong(value, QStringLiteral("it is one of ") + all.join(QStringLiteral(", ")));
}

// Sets a number of at least `least`.
template <typename Number> QString setNumber(Number &field, const QByteArray &value, int least)
{
    bool isNumber = false;
    const int number = value.toInt(&isNumber);
    if (!isNumber || number < least)
        return wrong(value, QStringLiteral("give a number of at least %1").arg(least));
    field = number;
    return {};
}

QString setRequire(Options &options, const QByteArray &value)
{
    return setNumber(options.require, value, 0);
}

QString setLast(Options &options, const QByteArray &value)
{
    return setNumber(options.filter.last, value, 0);
}

QString setBetween(Options &options, const QByteArray &value)
{
    bool isFirst = false;
    bool isSecond = false;
    const QByteArrayList parts = value.split(',');
    const quint64 first = parts.first().trimmed().toULongLong(&isFirst);
    const quint64 second = parts.last().trimmed().toULongLong(&isSecond);
    if (parts.size() != 2 || !isFirst || !isSecond)
        return wrong(value, QStringLiteral("give the numbers of two events, such as 14,31; `events -o json` has them"));
    options.between = { first, second };
    return {};
}

// What is there so far, and this.
QString addFilter(Options &options, const QString &text)
{
    ui::Filter::Error error;
    const std::optional<ui::Filter> filter = ui::Filter::parse(text, error);
    if (!filter)
        return wrong(text.toUtf8(), QStringLiteral("column %1: %2").arg(error.column).arg(error.text));
    options.filter.terms.add(*filter);
    return {};
}

QString setFilter(Options &options, const QByteArray &value)
{
    return addFilter(options, QString::fromUtf8(value));
}

QString setSince(Options &options, const QByteArray &value)
{
    if (!ui::spanFromText(QString::fromUtf8(value)))
        return wrong(value, QStringLiteral("give a span of time, such as 90s, 10m or 1h30m"));
    return addFilter(options, QStringLiteral("since:") + QString::fromUtf8(value));
}

// The names of kinds, and of their areas ("patch" for patch.applied and the like); those of a newer node pass too.
template <bool isNegated> QString setKinds(Options &options, const QByteArray &value)
{
    const QStringList kinds = QString::fromUtf8(value).split(u',', Qt::SkipEmptyParts);
    if (kinds.isEmpty())
        return wrong(value, QStringLiteral("give a kind such as patch.applied, or an area such as watch"));
    options.filter.terms.add({ ui::Filter::Key::Kind, isNegated, kinds });
    return {};
}

QString setFile(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return wrong(value, QStringLiteral("give the name of a file, or a pattern such as 10-*"));
    options.filter.terms.add({ ui::Filter::Key::File, false, { QString::fromUtf8(value) } });
    return {};
}

} // namespace

QString Source::shown() const
{
    if (const auto *endpoint = std::get_if<stream::Endpoint>(&where))
        return endpoint->shown();
    if (const auto *nodes = std::get_if<ClusterNodes>(&where)) {
        const QString context = nodes->cluster.context.isEmpty() ? QStringLiteral("the current context")
                                                                 : QStringLiteral("context ") + nodes->cluster.context;
        return QStringLiteral("namespace %1 of %2").arg(nodes->cluster.nameSpace, context);
    }
    const QByteArray &path = *std::get_if<QByteArray>(&where);
    return path == "-" ? QStringLiteral("standard input") : journal::shownName(path);
}

std::string longName(const Option &option)
{
    const QString last = QString::fromLatin1(option.names).section(u',', -1);
    return last.mid(last.startsWith(QLatin1String("--")) ? 2 : 1).toStdString();
}

const QList<Option> &allOptions()
{
    static const QList<Option> options{
        { "--socket", "PATH", "the node's UNIX socket (/run/firstwatch/stream.sock)", FromNodes, setSocket },
        { "--endpoint", "HOST:PORT", "the node's TCP port, as of a port-forward", FromNodes, setEndpoint },
        { "--context", "NAME", "nodes of this cluster, through kubectl", FromNodes,
            setCluster<&fleet::Cluster::context> },
        { "-n,--namespace", "NAME", "where its Firstwatch pods are (firstwatch)", FromNodes,
            setCluster<&fleet::Cluster::nameSpace> },
        { "--node", "GLOB", "only nodes of the cluster whose name matches", FromNodes, setNode },
        { "-l,--selector", "LABELS", "of its pods (app.kubernetes.io/name=firstwatch)", FromNodes,
            setCluster<&fleet::Cluster::selector> },
        { "--via", "CARRIER", "port-forward or exec (port-forward)", FromNodes, setCarrier },
        { "--kubectl", "PROGRAM", "the kubectl to use (kubectl, from PATH)", FromNodes,
            setCluster<&fleet::Cluster::kubectl> },
        { "--kubeconfig", "FILE", "the kubeconfig to use (kubectl's own choice)", FromNodes,
            setCluster<&fleet::Cluster::kubeconfig> },
        { "--key-file", "FILE", "the key of that port, if it asks for one", FromNodes, setBytes<&Options::keyFile> },
        { "--from", "FILE", "a recording: capture, history, or log; - is stdin", FromNodes, setFrom },
        { "--boot", "ID", "of a recording: the run whose name begins so (last)", OfRun, setBoot },
        { "-f,--follow", nullptr, "go on as things happen", OfEvents, setSwitch<&Options::follow> },
        { "--since", "SPAN", "only what is newer: 90s, 10m, 1h30m", Filtering, setSince },
        { "--last", "N", "only the last N", Filtering, setLast },
        { "--type", "KIND", "only this kind (patch.applied) or area (patch)", OfEvents, setKinds<false> },
        { "--not", "KIND", "all but this kind or area", OfEvents, setKinds<true> },
        { "--file", "GLOB", "only about files whose name matches", Filtering, setFile },
        { "--filter", "EXPR", "only what matches: \"kind:patch -file:10-* since:1h x\"", Selecting, setFilter },
        { "--print-filter", nullptr, "the filter that all options make together, and no more", Selecting,
            setSwitch<&Options::printsFilter> },
        { "--diff", nullptr, "what each patch changed", OfPatches, setSwitch<&Options::wantsOurs> },
        { "--theirs", nullptr, "what others changed before it, since the last patch", OfPatches,
            setSwitch<&Options::wantsTheirs> },
        { "--between", "SEQ,SEQ", "only from one event to another, and the time it took", OfTime, setBetween },
        { "--wait", "[=STATE]", "until the node is in that state (OK)", Judging, setWait, true },
        { "--timeout", "SPAN", "how long to try (10s; 2m with --wait)", FromNodes, setSpan<&Options::timeoutNs> },
        { "--require", "N", "fail unless so many nodes were found", Judging, setRequire },
        { "--fail-on", "LEVEL", "error, warning or never: when to exit with 1 (error)", Judging | OfLint, setFailOn },
        { "--plugin", "FILE", "the plugin's template (linkerd's, with its defaults)", OfFiles, setPlugin },
        { "--remove", nullptr, "what taking the plugin out would change", OfPreview,
            setPreviewSwitch<&PreviewOptions::isRemoval> },
        { "--position", "WHERE", "last: move the plugin to the end; keep: do not (last)", OfPreview, setPosition },
        { "--scope", "WHICH", "all files, or active: the one a runtime uses (all)", OfPreview, setScope },
        { "--exclude", "GLOB", "leave files alone whose name matches", OfFiles, addTo<&PreviewOptions::excludes> },
        { "--bin-dir", "DIR", "look there for the plugins' binaries", OfLint, addTo<&PreviewOptions::binDirs> },
        { "--runtime", "NAME", "containerd, crio or both: what it reads (both)", OfPreview, setRuntime },
        { "--exit-code", nullptr, "exit with 1 when something would change, or be missed", OfPreview,
            setPreviewSwitch<&PreviewOptions::failsOnChange> },
        { "--show-secrets", nullptr, "do not cut what may be secret", OfPreview,
            setPreviewSwitch<&PreviewOptions::showsSecrets> },
        { "--race", "SCHEDULE", "simulate one instead: a file, -, example:NAME, or list", OfPreview, setRace },
        { "--write", nullptr, "change the files after asking, as the service would", OfPreview,
            setPreviewSwitch<&PreviewOptions::writes> },
        { "--yes", nullptr, "with --write: do not ask", OfPreview, setPreviewSwitch<&PreviewOptions::isConfirmed> },
        { "-o,--output", "FORM", "form of the output", General, setOutput },
        { "--color", "WHEN", "auto, always or never (auto)", General, setColour },
        { "-q,--quiet", nullptr, "nothing but errors: the exit code tells", General, setSwitch<&Options::isQuiet> },
        { "-h", nullptr, "the options, a line each", General, setHelp<Help::Short> },
        { "--help", nullptr, "more: examples and exit codes", General, setHelp<Help::Long> },
    };
    return options;
}

} // namespace firstwatch::cli
