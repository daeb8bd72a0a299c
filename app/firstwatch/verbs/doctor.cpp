// SPDX-License-Identifier: Apache-2.0
// doctor: why does it not work here? Each question with its answer and, where that is bad, the way out.
#include "app/firstwatch/live.h"
#include "app/firstwatch/sources.h"

#include "journal/shownname.h"
#include "ui/session/recording.h"
#include "ui/text/json.h"
#include "ui/text/table.h"
#include "ui/text/units.h"

#include <QFileInfo>
#include <QJsonArray>

#include <sys/stat.h>
#include <unistd.h>

namespace firstwatch::cli {
namespace {

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

QList<Answer> answers(const Call &call)
{
    const Source &source = call.options.sources.first();
    QList<Answer> all;
    if (const auto *endpoint = std::get_if<stream::Endpoint>(&source.where);
        endpoint != nullptr && endpoint->kind == stream::Endpoint::Kind::Local)
        all.append(socketAnswer(endpoint->path));
    if (all.isEmpty() || all.first().isGood)
        all.append(nodeAnswer(source, call.options));
    return all + QList<Answer>{ userAnswer(), localeAnswer(call.out.look()), screenAnswer(call.out) };
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

} // namespace

int runDoctor(Call &call)
{
    const QList<Answer> all = answers(call);
    if (isDocument(call.options))
        sayDocument(call, ui::document(QStringLiteral("doctor"), answerArray(all)));
    else
        call.out.data(answerTable(call.out.look(), all));
    const bool isGood = std::all_of(all.cbegin(), all.cend(), [](const Answer &each) { return each.isGood; });
    return isGood ? exitcode::nothing : exitcode::notCollected;
}

} // namespace firstwatch::cli
