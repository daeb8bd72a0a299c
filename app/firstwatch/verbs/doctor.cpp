// SPDX-License-Identifier: Apache-2.0
// doctor: why does it not work here? Each question with its answer and, where that is bad, the way out.
#include "app/firstwatch/cluster.h"
#include "app/firstwatch/live.h"
#include "app/firstwatch/sources.h"

#include "journal/shownname.h"
#include "ui/fleet/rights.h"
#include "ui/session/recording.h"
#include "ui/text/json.h"
#include "ui/text/table.h"
#include "ui/text/units.h"

#include <QEventLoop>
#include <QJsonArray>

#include <sys/stat.h>
#include <unistd.h>

namespace firstwatch::cli {
namespace {

using fleet::KubectlResult;

struct Answer {
    bool isGood = true;
    QString question;
    QString answer;
    QString wayOut; // where it is bad
};

Answer socketAnswer(const QString &path)
{
    const QString question = QStringLiteral("socket");
    const QByteArray name = path.toLocal8Bit();
    struct stat info { };
    if (::stat(name.constData(), &info) != 0) {
        const QString why = qt_error_string(errno);
        return { false, question, path + QStringLiteral(": ") + why,
            QStringLiteral("is the service running here? systemctl status firstwatchd; elsewhere: --socket, --endpoint "
                           "or --from") };
    }
    if (!S_ISSOCK(info.st_mode))
        return { false, question, path + QStringLiteral(" is no socket"),
            QStringLiteral("name another one: --socket PATH") };
    if (::access(name.constData(), R_OK | W_OK) != 0)
        return { false, question, QStringLiteral("%1 is not for user %2").arg(path, QString::number(::geteuid())),
            QStringLiteral("only the user of the service may ask it: sudo firstwatch …") };
    return { true, question, path + QStringLiteral(" is there, and may be used"), {} };
}

Answer nodeAnswer(const Source &source, const Options &options)
{
    const auto *endpoint = std::get_if<stream::Endpoint>(&source.where);
    const ui::Node node = endpoint != nullptr ? askNode(*endpoint, options)
                                              : ui::readRecording(*std::get_if<QByteArray>(&source.where), {});
    const QString question = source.isLive() ? QStringLiteral("node") : QStringLiteral("recording");
    if (!node.isReached())
        return { false, question, node.source + QStringLiteral(": ") + node.trouble,
            QStringLiteral("firstwatch explain FW%1").arg(node.troubleCode) };
    return { true, question,
        node.name() + QStringLiteral(" is ") + journal::stateWord(node.word()) + QStringLiteral(", ")
            + ui::countText(node.events.size(), QStringLiteral("event")),
        {} };
}

KubectlResult runKubectl(const fleet::Cluster &cluster, const QStringList &verb)
{
    KubectlResult result;
    QEventLoop loop;
    fleet::KubectlCall kubectl(cluster);
    QObject::connect(&kubectl, &fleet::KubectlCall::finished, &loop, [&](const KubectlResult &got) {
        result = got;
        loop.quit();
    });
    kubectl.start(verb);
    loop.exec();
    return result;
}

// kubectl says "yes" or "no", and ends with 1 for a no as for everything else that went wrong.
Answer rightAnswer(const ClusterNodes &nodes)
{
    const fleet::Right right = fleet::rightOf(nodes.carrier);
    const KubectlResult result = runKubectl(nodes.cluster, right.question());
    const QString question = QStringLiteral("right");
    const QString what = right.verb + u' ' + right.resource;
    if (result.isGood())
        return { true, question, QStringLiteral("you may %1 here").arg(what), {} };
    if (result.output.trimmed() == "no")
        return { false, question, QStringLiteral("you may not %1 here").arg(what),
            QStringLiteral("ask the cluster's admin for it, with this: ") + fleet::askCommand(nodes.cluster, right) };
    return { false, question, fleet::troubleOf(nodes.cluster, result).text, fleet::askCommand(nodes.cluster, right) };
}

QList<Answer> clusterAnswers(const ClusterNodes &nodes, Call &call)
{
    const QString question = QStringLiteral("cluster");
    QList<Answer> all;
    int reached = 0;
    for (const ui::Node &node : askCluster(nodes, call)) {
        reached += node.isReached() ? 1 : 0;
        if (!node.isReached())
            all.append({ false, question, node.source + QStringLiteral(": ") + node.trouble,
                QStringLiteral("firstwatch explain FW%1").arg(node.troubleCode) });
    }
    all.prepend({ reached > 0, question,
        Source{ nodes }.shown() + QStringLiteral(": ") + ui::countText(reached, QStringLiteral("node"))
            + QStringLiteral(" reached"),
        {} });
    return all + QList<Answer>{ rightAnswer(nodes) };
}

Answer configAnswer(const Options &options)
{
    const QString question = QStringLiteral("settings");
    if (!options.configFault.isEmpty())
        return { false, question, options.configFault,
            QStringLiteral("correct the file; until then none of it counts") };
    const bool isUsed = std::any_of(options.settings.cbegin(), options.settings.cend(),
        [](const SettingValue &value) { return value.origin == SettingValue::Origin::File; });
    if (options.configPath.isEmpty())
        return { true, question, QStringLiteral("no file: neither HOME nor XDG_CONFIG_HOME is set"), {} };
    return { true, question,
        options.configPath + (isUsed ? QStringLiteral(" is used") : QStringLiteral(" is not there, or not needed")),
        {} };
}

Answer userAnswer()
{
    return { true, QStringLiteral("user"),
        ::geteuid() == 0 ? QStringLiteral("root") : QStringLiteral("uid %1").arg(::geteuid()), {} };
}

Answer localeAnswer(const ui::Look &look)
{
    const QString name = QString::fromLocal8Bit(qgetenv("LC_ALL").isEmpty() ? qgetenv("LANG") : qgetenv("LC_ALL"));
    if (look.hasUnicode)
        return { true, QStringLiteral("locale"), name + QStringLiteral(": UTF-8"), {} };
    return { true, QStringLiteral("locale"),
        (name.isEmpty() ? QStringLiteral("not set") : name)
            + QStringLiteral(": not UTF-8, so signs are drawn in ASCII (LC_ALL=C.UTF-8 for more)"),
        {} };
}

Answer screenAnswer(const Output &out)
{
    const QString term = QString::fromLocal8Bit(qgetenv("TERM"));
    const QString kind = out.isTerminal()
        ? QStringLiteral("terminal, TERM=%1").arg(term.isEmpty() ? QStringLiteral("(not set)") : term)
        : QStringLiteral("no terminal");
    const QString width = out.look().columns == 0 ? QStringLiteral("as wide as it gets")
                                                  : QStringLiteral("%1 columns").arg(out.look().columns);
    return { true, QStringLiteral("output"),
        QStringLiteral("%1, %2, %3")
            .arg(kind, width, out.look().hasColour ? QStringLiteral("colour") : QStringLiteral("no colour")),
        {} };
}

QList<Answer> sourceAnswers(const Source &source, Call &call)
{
    if (const auto *nodes = std::get_if<ClusterNodes>(&source.where))
        return clusterAnswers(*nodes, call);
    QList<Answer> all;
    if (const auto *endpoint = std::get_if<stream::Endpoint>(&source.where);
        endpoint != nullptr && endpoint->kind == stream::Endpoint::Kind::Local)
        all.append(socketAnswer(endpoint->path));
    if (all.isEmpty() || all.first().isGood)
        all.append(nodeAnswer(source, call.options));
    return all;
}

QList<Answer> answers(Call &call)
{
    QList<Answer> all;
    for (const Source &source : std::as_const(call.options.sources))
        all += sourceAnswers(source, call);
    return all
        + QList<Answer>{ configAnswer(call.options), userAnswer(), localeAnswer(call.out.look()),
              screenAnswer(call.out) };
}

QString answerTable(const ui::Look &look, const QList<Answer> &all)
{
    ui::Table table(look, { { QString() }, { QStringLiteral("WHAT") }, { QStringLiteral("FOUND") } });
    for (const Answer &each : all) {
        table.append({ { each.isGood ? QStringLiteral("✔") : QStringLiteral("✘"),
                           each.isGood ? ui::Role::Good : ui::Role::Error },
            { each.question, ui::Role::Strong }, { each.answer } });
        if (!each.wayOut.isEmpty())
            table.append({ { QString() }, { QString() }, { QStringLiteral("→ ") + each.wayOut } });
    }
    return table.text();
}

QJsonArray answerArray(const QList<Answer> &all)
{
    QJsonArray array;
    for (const Answer &each : all)
        array.append(QJsonObject{ { QStringLiteral("good"), each.isGood }, { QStringLiteral("what"), each.question },
            { QStringLiteral("found"), each.answer }, { QStringLiteral("next"), each.wayOut } });
    return array;
}

QString originName(SettingValue::Origin origin)
{
    switch (origin) {
    case SettingValue::Origin::Flag:
        return QStringLiteral("flag");
    case SettingValue::Origin::Environment:
        return QStringLiteral("environment");
    case SettingValue::Origin::File:
        return QStringLiteral("file");
    case SettingValue::Origin::Default:
        break;
    }
    return QStringLiteral("default");
}

QString settingTable(const ui::Look &look, const QList<SettingValue> &settings)
{
    ui::Table table(look, { { QStringLiteral("SETTING") }, { QStringLiteral("VALUE") }, { QStringLiteral("FROM") } });
    for (const SettingValue &each : settings)
        table.append({ { each.name, ui::Role::Strong }, { each.value },
            { originName(each.origin) + (each.where.isEmpty() ? QString() : QString(u' ' + each.where)) } });
    return table.text();
}

QJsonArray settingArray(const QList<SettingValue> &settings)
{
    QJsonArray array;
    for (const SettingValue &each : settings)
        array.append(QJsonObject{ { QStringLiteral("name"), each.name }, { QStringLiteral("value"), each.value },
            { QStringLiteral("origin"), originName(each.origin) }, { QStringLiteral("where"), each.where } });
    return array;
}

} // namespace

int runDoctor(Call &call)
{
    const QList<Answer> all = answers(call);
    const QList<SettingValue> &settings = call.options.settings;
    if (isDocument(call.options)) {
        QJsonObject document = ui::document(QStringLiteral("doctor"), answerArray(all));
        document.insert(QStringLiteral("settings"), settingArray(settings));
        sayDocument(call, document);
    } else {
        call.out.data(QString(answerTable(call.out.look(), all) + u'\n' + settingTable(call.out.look(), settings)));
    }
    const bool isGood = std::all_of(all.cbegin(), all.cend(), [](const Answer &each) { return each.isGood; });
    return isGood ? exitcode::nothing : exitcode::notCollected;
}

} // namespace firstwatch::cli
