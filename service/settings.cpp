// SPDX-License-Identifier: Apache-2.0
#include "service/settings.h"

#include "service/help.h"
#include "service/options.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"

#include <CLI/CLI.hpp>

#include <QSysInfo>

#include <algorithm>
#include <optional>
#include <string>
#include <unistd.h>

namespace firstwatch::service {
namespace {

// What stood on the command line, by flag.
struct CommandLine {
    Command command = Command::Run;
    ProbeTarget probeTarget = ProbeTarget::Live;
    QHash<QByteArray, QByteArray> values;
};

Printed refused(const QString &text)
{
    return { "firstwatchd: " + text.toUtf8() + "\nSee firstwatchd --help.\n", 2 };
}

CLI::Option *declare(CLI::App &app, const Option &option)
{
    CLI::Option *declared = option.argument ? app.add_option(option.flag) : app.add_flag(option.flag);
    return declared->multi_option_policy(
        option.repeatable ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
}

QByteArray valueOf(const CLI::Option &declared, const Option &option)
{
    const std::vector<std::string> &given = declared.results();
    if (!option.repeatable)
        return QByteArray::fromStdString(given.back());
    QByteArrayList all;
    for (const std::string &value : given)
        all.append(QByteArray::fromStdString(value));
    return all.join(':');
}

// CLI11 takes the next argument for the value of "--net-dir=", which would swallow an option.
std::optional<Printed> findEmptyValue(const QByteArrayList &arguments)
{
    for (const Option &option : allOptions()) {
        if (arguments.contains(QByteArray(option.flag) + '='))
            return refused(
                QStringLiteral("%1= has no value: give one, or leave it out").arg(QLatin1String(option.flag)));
    }
    return {};
}

void parseWithCli11(CLI::App &app, const QByteArrayList &arguments)
{
    std::vector<std::string> reversed; // as CLI::App::parse() wants them
    for (const QByteArray &argument : arguments)
        reversed.insert(reversed.begin(), argument.toStdString());
    app.parse(reversed);
}

std::variant<CommandLine, Printed> readCommandLine(const QByteArrayList &arguments)
{
    if (const auto empty = findEmptyValue(arguments))
        return *empty;
    CLI::App app;
    app.fallthrough();
    app.require_subcommand(0, 1);
    app.set_version_flag("--version", "");
    app.add_subcommand("run");
    const CLI::App *cleanup = app.add_subcommand("cleanup");
    const CLI::App *config = app.add_subcommand("config");
    const CLI::App *relay = app.add_subcommand("relay");
    std::string target;
    CLI::App *const probe = app.add_subcommand("probe");
    probe->add_option("target", target)->required()->check(CLI::IsMember({ "live", "ready", "started" }));
    QList<CLI::Option *> declared;
    for (const Option &option : allOptions())
        declared.append(declare(app, option));
    try {
        parseWithCli11(app, arguments);
    } catch (const CLI::CallForHelp &) {
        return Printed{ helpText(), 0 };
    } catch (const CLI::CallForVersion &) {
        return Printed{ "firstwatchd " FIRSTWATCH_VERSION "\n", 0 };
    } catch (const CLI::ParseError &error) {
        return refused(QString::fromUtf8(error.what()));
    }
    CommandLine line;
    line.command = cleanup->parsed() ? Command::Cleanup
        : config->parsed()           ? Command::Config
        : probe->parsed()            ? Command::Probe
        : relay->parsed()            ? Command::Relay
                                     : Command::Run;
    line.probeTarget = target == "ready" ? ProbeTarget::Ready : ProbeTarget::Live;
    for (qsizetype i = 0; i < declared.size(); ++i) {
        const Option &option = allOptions().at(i);
        if (declared.at(i)->count() > 0)
            line.values.insert(option.flag, valueOf(*declared.at(i), option));
    }
    return line;
}

// Where the value of one option comes from.
struct Source {
    QByteArray value;
    QByteArray name; // of the flag or the variable
    Origin origin = Origin::Default;
};

Source sourceOf(const Option &option, const CommandLine &line, const Environment &environment)
{
    if (line.values.contains(option.flag))
        return { line.values.value(option.flag), option.flag, Origin::Flag };
    const QByteArray value = environment.value(option.variable);
    return value.isEmpty() ? Source{} : Source{ value, option.variable, Origin::Environment };
}

// An error text, empty when the option is set or has its default.
QString applyOption(Settings &settings, const Option &option, const Source &source)
{
    if (source.origin == Origin::Default)
        return {};
    settings.origins.insert(option.flag, source.origin);
    const QString error = source.value.isEmpty() ? QStringLiteral("the value is empty: give one, or leave it out")
                                                 : option.set(settings, source.value);
    return error.isEmpty() ? error : QLatin1String(source.name) + QStringLiteral(": ") + error;
}

void findUnwise(Settings &settings)
{
    if ((settings.kubeconfigMode & ~mode_t(0600)) != 0) {
        settings.findings.append({ journal::code::kubeconfigMode,
            QStringLiteral("KUBECONFIG_MODE is %1: others than root may use the token in the kubeconfig")
                .arg(settings.kubeconfigMode, 3, 8, QLatin1Char('0')) });
    }
}

} // namespace

QString originName(Origin origin)
{
    switch (origin) {
    case Origin::Flag:
        return QStringLiteral("flag");
    case Origin::Environment:
        return QStringLiteral("environment");
    case Origin::Default:
        break;
    }
    return QStringLiteral("default");
}

Environment processEnvironment()
{
    Environment environment;
    for (char **entry = environ; *entry; ++entry) {
        const QByteArray pair(*entry);
        const qsizetype equals = pair.indexOf('=');
        if (equals > 0)
            environment.insert(pair.first(equals), pair.sliced(equals + 1));
    }
    return environment;
}

std::variant<Settings, Printed> parseSettings(const QByteArrayList &arguments, const Environment &environment)
{
    const auto line = readCommandLine(arguments);
    if (const auto *printed = std::get_if<Printed>(&line))
        return *printed;
    const CommandLine &given = std::get<CommandLine>(line);
    Settings settings;
    settings.command = given.command;
    settings.probeTarget = given.probeTarget;
    for (const Option &option : allOptions()) {
        const QString error = applyOption(settings, option, sourceOf(option, given, environment));
        if (!error.isEmpty())
            return refused(error);
    }
    findUnwise(settings);
    return settings;
}

QList<SettingRow> settingRows(const Settings &settings)
{
    QList<SettingRow> rows;
    for (const Option &option : allOptions()) {
        rows.append({ option.flag, option.variable, option.shown(settings),
            settings.origins.value(option.flag, Origin::Default) });
    }
    return rows;
}

QString settingsTable(const Settings &settings)
{
    const QList<SettingRow> rows = settingRows(settings);
    qsizetype nameWidth = 0;
    qsizetype valueWidth = 0;
    for (const SettingRow &row : rows) {
        nameWidth = std::max(nameWidth, row.variable.size());
        valueWidth = std::max(valueWidth, row.value.size());
    }
    QString table;
    for (const SettingRow &row : rows) {
        table += QString::fromLatin1(row.variable).leftJustified(nameWidth + 2)
            + row.value.leftJustified(valueWidth + 2) + originName(row.origin) + QLatin1Char('\n');
    }
    return table;
}

QString Settings::shownNodeName() const
{
    return nodeName.isEmpty() ? QSysInfo::machineHostName() : journal::shownName(nodeName);
}

} // namespace firstwatch::service
