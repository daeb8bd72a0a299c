// SPDX-License-Identifier: Apache-2.0
// preview --race: a race written down, and what three installers would make of it.
#include "app/firstwatch/files.h"

#include "journal/shownname.h"
#include "race/fixtures.h"
#include "race/model.h"
#include "ui/race/racetext.h"
#include "ui/race/raceverdict.h"
#include "ui/text/json.h"

#include <QDir>
#include <QFile>

#include <unistd.h>

namespace firstwatch::cli {
namespace {

constexpr char examples[] = ":/firstwatch/data/race";
constexpr char examplePrefix[] = "example:";
constexpr qint64 largestSchedule = 4LL * 1024 * 1024 + 1;

std::optional<QByteArray> readAll(QFile &file, bool isOpen, QString &reason)
{
    if (!isOpen) {
        reason = file.errorString();
        return std::nullopt;
    }
    return file.read(largestSchedule);
}

std::optional<QByteArray> readFile(const QByteArray &path, QString &reason)
{
    QFile file(QFile::decodeName(path));
    return readAll(file, file.open(QIODevice::ReadOnly), reason);
}

QStringList exampleNames()
{
    QStringList names;
    for (const QString &file : QDir(QLatin1String(examples)).entryList(QDir::Files, QDir::Name))
        names.append(file.chopped(int(sizeof ".race") - 1));
    return names;
}

std::optional<QByteArray> readExample(const QByteArray &name, QString &reason)
{
    if (!exampleNames().contains(QString::fromUtf8(name))) {
        reason = QStringLiteral("there is no such example; `firstwatch preview --race list` names them");
        return std::nullopt;
    }
    return readFile(QByteArray(examples) + '/' + name + ".race", reason);
}

std::optional<QByteArray> readSchedule(const QByteArray &name, QString &reason)
{
    if (name.startsWith(examplePrefix))
        return readExample(name.sliced(qsizetype(sizeof examplePrefix) - 1), reason);
    if (name != "-")
        return readFile(name, reason);
    QFile input;
    return readAll(input, input.open(STDIN_FILENO, QIODevice::ReadOnly), reason);
}

int listExamples(Call &call)
{
    for (const QString &name : exampleNames()) {
        QString reason;
        race::ScheduleError error;
        const std::optional<QByteArray> text = readExample(name.toUtf8(), reason);
        const std::optional<race::Schedule> schedule =
            text ? race::parseSchedule(*text, error) : std::optional<race::Schedule>();
        if (schedule)
            call.out.lines(QStringLiteral("%1 %2\n")
                               .arg(QLatin1String(examplePrefix) + name, -32)
                               .arg(QString::fromUtf8(schedule->title)));
    }
    return exitcode::nothing;
}

// What was asked for, with all its texts. Without it, the exit code is set and the reason was said.
std::optional<race::Schedule> scheduleOf(Call &call, const conflist::Options &chain, int &code)
{
    const QByteArray &name = call.options.preview.schedule;
    const QString where = name == "-" ? QStringLiteral("standard input") : journal::shownName(name);
    QString reason;
    code = exitcode::notCollected;
    const std::optional<QByteArray> text = readSchedule(name, reason);
    if (!text) {
        call.out.error(where + QStringLiteral(": ") + reason);
        return std::nullopt;
    }
    race::ScheduleError error;
    std::optional<race::Schedule> schedule = race::parseSchedule(*text, error);
    if (!schedule) {
        call.out.error(QStringLiteral("%1:%2:%3: %4").arg(where).arg(error.line).arg(error.column).arg(error.text));
        code = exitcode::usage;
        return std::nullopt;
    }
    if (call.options.output == QLatin1String("schedule"))
        return schedule;
    reason = race::resolve(*schedule, chain, readFile);
    if (reason.isEmpty())
        return schedule;
    call.out.error(where + QStringLiteral(": ") + reason);
    return std::nullopt;
}

void show(Call &call, const ui::Race &race)
{
    if (isDocument(call.options))
        sayDocument(call, ui::document(QStringLiteral("race"), ui::raceJson(race)));
    else if (call.options.output == QLatin1String("svg"))
        call.out.data(ui::raceSvg(race));
    else
        call.out.data(ui::raceText(call.out.look(), race));
}

} // namespace

int runRace(Call &call)
{
    const PreviewOptions &wanted = call.options.preview;
    if (wanted.schedule == "list")
        return listExamples(call);
    int code = exitcode::nothing;
    const std::optional<conflist::PluginTemplate> plugin = pluginOf(call, code);
    if (!plugin)
        return code;
    const conflist::Options chain{ { *plugin }, wanted.position };
    const std::optional<race::Schedule> schedule = scheduleOf(call, chain, code);
    if (!schedule)
        return code;
    if (call.options.output == QLatin1String("schedule")) {
        call.out.data(race::scheduleText(*schedule));
        return exitcode::nothing;
    }
    ui::Race race{ *schedule, {} };
    for (const race::Installer installer :
        { race::Installer::ShellBefore, race::Installer::ShellAfter, race::Installer::Firstwatch })
        race.outcomes.append(race::simulate(installer, *schedule, chain));
    show(call, race);
    return wanted.failsOnChange && !ui::isGood(race.outcomes.last()) ? exitcode::found : exitcode::nothing;
}

} // namespace firstwatch::cli
