// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/commandline.h"

#include "app/firstwatch/help.h"
#include "app/firstwatch/settings.h"

#include "journal/shownname.h"

#include <CLI/CLI.hpp>

#include <QFile>

#include <algorithm>
#include <iterator>
#include <utility>

namespace firstwatch::cli {
namespace {

// kubectl finds its plugins by this name.
QString programName(const QByteArray &path)
{
    const QByteArray name = path.mid(path.lastIndexOf('/') + 1);
    return name == "kubectl-firstwatch" ? QStringLiteral("kubectl firstwatch") : QStringLiteral("firstwatch");
}

void set(Options &options, const Option &option, const std::string &value)
{
    const QString error = option.set(options, QByteArray::fromStdString(value));
    if (!error.isEmpty())
        throw CLI::ValidationError(option.names, error.toStdString());
    options.typed[longName(option)] = QByteArray::fromStdString(value);
}

void add(CLI::App &app, Options &options, const Option &option)
{
    if (option.argument == nullptr) {
        app.add_flag_callback(option.names, [&options, &option] { set(options, option, {}); });
        return;
    }
    if (option.isOptional) {
        app.add_flag(option.names); // takes "--wait" and "--wait=STATE", and never the next word
        return;
    }
    app.add_option_function<std::vector<std::string>>(option.names,
           [&options, &option](const auto &values) {
               for (const std::string &value : values)
                   set(options, option, value);
           })
        ->allow_extra_args(false);
}

void setOptional(const CLI::App &app, Options &options, const Option &option)
{
    const CLI::Option *given = app.get_option(option.names);
    if (given->count() > 0)
        set(options, option, given->results().back() == "true" ? std::string() : given->results().back());
}

// Throws CLI::ParseError.
void parseOptions(const Verb &verb, const QByteArrayList &arguments, Options &options)
{
    CLI::App app;
    app.set_help_flag();
    for (const Option &option : allOptions()) {
        if ((option.groups & verb.groups) != 0)
            add(app, options, option);
    }
    std::vector<std::string> rest;
    if (verb.most > 0)
        app.add_option("arguments", rest);
    std::vector<std::string> reversed;
    std::transform(arguments.crbegin(), arguments.crend(), std::back_inserter(reversed),
        [](const QByteArray &argument) { return argument.toStdString(); });
    app.parse(std::move(reversed));
    for (const Option &option : allOptions()) {
        if (option.isOptional && (option.groups & verb.groups) != 0)
            setOptional(app, options, option);
    }
    for (const std::string &argument : rest)
        options.arguments.append(QString::fromStdString(argument));
}

// A race has forms of its own beside those of a document, and takes no files.
QString completeRace(Options &options)
{
    if (options.preview.schedule.isEmpty())
        return {};
    if (options.output.isEmpty())
        options.output = QStringLiteral("ascii");
    if (!options.arguments.isEmpty())
        return QStringLiteral("--race takes no files: leave out '%1', or --race").arg(options.arguments.first());
    const PreviewOptions &preview = options.preview;
    if (preview.isRemoval || preview.activeOnly || preview.runtime || preview.showsSecrets
        || !preview.excludes.isEmpty())
        return QStringLiteral("--race goes with --plugin, --position, --exit-code and -o only");
    return {};
}

// The forms of files are none of a race, and the other way round.
QString raceFormError(const Options &options)
{
    const QStringList ofRace{ QStringLiteral("ascii"), QStringLiteral("svg"), QStringLiteral("schedule") };
    const QStringList ofBoth{ QStringLiteral("json"), QStringLiteral("yaml") };
    const bool isRace = !options.preview.schedule.isEmpty();
    if (ofBoth.contains(options.output) || ofRace.contains(options.output) == isRace)
        return {};
    return isRace ? QStringLiteral("-o %1 is no form of a race: it is one of %2")
                        .arg(options.output, (ofRace + ofBoth).join(QStringLiteral(", ")))
                  : QStringLiteral("-o %1 is a form of a race: give one with --race").arg(options.output);
}

QString formError(const Verb &verb, Options &options)
{
    if (verb.forms.isEmpty())
        return options.output.isEmpty()
            ? QString()
            : QStringLiteral("%1 has only one form of output: leave out -o").arg(QLatin1String(verb.name));
    QStringList forms;
    for (const char *form : verb.forms)
        forms += QString::fromLatin1(form);
    if (forms.contains(QLatin1String("FILE"))) // any name of a file
        return {};
    if (options.output.isEmpty())
        options.output = forms.first();
    return forms.contains(options.output)
        ? QString()
        : QStringLiteral("-o %1 is no form of %2: it is one of %3")
              .arg(options.output, QLatin1String(verb.name), forms.join(QStringLiteral(", ")));
}

// A name, not a pattern.
bool isOneNode(const QString &pattern)
{
    return std::none_of(pattern.begin(), pattern.end(), [](QChar c) { return c == u'*' || c == u'?' || c == u'['; });
}

// The cluster is asked when something was said about it, and by kubectl's plugin when nothing was said at all.
QString completeCluster(const Verb &verb, Options &options, bool isPlugin)
{
    const bool isNamed = (verb.groups & OfTime) != 0 && !options.sources.isEmpty() && options.typed.count("node") == 0;
    if ((verb.groups & FromNodes) == 0 || isNamed || !(options.asksCluster || (isPlugin && options.sources.isEmpty())))
        return {};
    if (options.nodes.cluster.nameSpace.isEmpty())
        options.nodes.cluster.nameSpace = QStringLiteral("firstwatch");
    if (verb.sources < any && !isOneNode(options.nodes.pattern))
        return QStringLiteral("%1 shows one node: give its name with --node").arg(QLatin1String(verb.name));
    options.sources.append({ options.nodes });
    return {};
}

// "NODE FILE", or one of them: a file has the name of a config, or a pattern.
void takeNodeAndFile(Options &options)
{
    const QString first = options.arguments.value(0);
    if (options.arguments.size() > 1 || !isOneNode(first) || conflist::isConfigName(first.toUtf8()))
        options.filter.terms.add({ ui::Filter::Key::File, false, { options.arguments.takeLast() } });
    if (options.arguments.isEmpty())
        return;
    options.nodes.pattern = options.arguments.takeFirst();
    options.asksCluster = true;
}

// A recording by its path, a node of the cluster by its name.
void takeSources(Options &options)
{
    for (const QString &name : std::exchange(options.arguments, {})) {
        const QByteArray path = QFile::encodeName(name);
        if (name == QLatin1String("-") || name.contains(u'/') || QFile::exists(name)) {
            options.sources.append({ path });
            continue;
        }
        ClusterNodes node = options.nodes;
        node.pattern = name;
        if (node.cluster.nameSpace.isEmpty())
            node.cluster.nameSpace = QStringLiteral("firstwatch");
        options.sources.append({ node });
    }
}

// "--boot A --boot B": two runs, of one recording or of two.
QString completeRuns(Options &options)
{
    const qsizetype runs = options.boots.size();
    if (options.between && (options.sources.size() > 1 || runs > 1))
        return QStringLiteral("--between is for one run: leave it out, or name one");
    if (runs < 2)
        return {};
    if (options.sources.size() == 1)
        options.sources.append(Source(options.sources.first()));
    const auto *path = std::get_if<QByteArray>(&options.sources.first().where);
    if (runs > 2 || path == nullptr || *path == "-")
        return QStringLiteral("two --boot are two runs of a recording: give it with --from FILE");
    for (qsizetype i = 0; i < options.sources.size() && i < runs; ++i)
        options.sources[i].boot = options.boots[i];
    return {};
}

QString completeFilter(const Verb &verb, Options &options)
{
    const QStringList strangers = options.filter.terms.keysBut(verb.filterKeys);
    options.filter.nowUs = journal::wallNowUs();
    if ((verb.groups & Selecting) == 0 || strangers.isEmpty())
        return {};
    QStringList known;
    for (const ui::Filter::Key key : verb.filterKeys)
        known += ui::filterKeyName(key) + QStringLiteral(":");
    return QStringLiteral("nothing that %1 shows has a %2: it filters by %3 and words")
        .arg(QLatin1String(verb.name), strangers.first(), known.join(QStringLiteral(", ")));
}

// What the options mean together.
QString complete(const Verb &verb, Options &options, bool isPlugin)
{
    if (QString error = completeRace(options); !error.isEmpty())
        return error;
    if (QString error = formError(verb, options); !error.isEmpty())
        return error;
    if (QString error = raceFormError(options); (verb.groups & OfPreview) != 0 && !error.isEmpty())
        return error;
    if (options.arguments.size() < verb.fewest && options.preview.schedule.isEmpty())
        return QStringLiteral("%1 needs %2").arg(QLatin1String(verb.name), QLatin1String(verb.arguments));
    if (options.arguments.size() > verb.most)
        return QStringLiteral("too much after %1: '%2'").arg(QLatin1String(verb.name), options.arguments.last());
    if ((verb.groups & OfPatches) != 0)
        takeNodeAndFile(options);
    if ((verb.groups & OfTime) != 0)
        takeSources(options);
    if (QString error = completeFilter(verb, options); !error.isEmpty())
        return error;
    if (QString error = completeCluster(verb, options, isPlugin); !error.isEmpty())
        return error;
    if (options.sources.isEmpty())
        options.sources.append({ stream::Endpoint{ stream::Endpoint::Kind::Local, options.localSocket, {}, 0, {} } });
    if (QString error = (verb.groups & OfTime) != 0 ? completeRuns(options) : QString(); !error.isEmpty())
        return error;
    if (options.sources.size() > verb.sources)
        return verb.sources == 1
            ? QStringLiteral("%1 shows one node: give one of --socket, --endpoint, --from and --node")
                  .arg(QLatin1String(verb.name))
            : QStringLiteral("%1 compares two: give no more of --socket, --endpoint, --from, --node and names")
                  .arg(QLatin1String(verb.name));
    return {};
}

// A file that is wrong about where to ask is no reason to ask elsewhere, and one that is wrong about colours none to be
// silent: verbs that reach nodes refuse it, all others go on without it, and doctor shows it.
void takeSettings(CommandLine &line, const Verb &verb)
{
    Options &options = line.options;
    const ConfigFile file = readConfigFile(configPath());
    options.configPath = file.path;
    options.configFault = file.fault;
    line.error = applySettings(options, file);
    if (file.fault.isEmpty() || verb.run == runDoctor || !line.error.isEmpty())
        return;
    QString &said = (verb.groups & FromNodes) != 0 ? line.error : line.warning;
    said = file.fault;
}

QString unknownVerb(const QString &name, const QString &program)
{
    if (name.isEmpty())
        return QStringLiteral("nothing was asked for\nSee: %1 --help").arg(program);
    const QString nearest = nearestVerb(name);
    const QString hint = nearest.isEmpty() ? QString() : QStringLiteral(" Did you mean '%1'?").arg(nearest);
    return QStringLiteral("'%1' is no verb.%2\nSee: %3 --help").arg(name, hint, program);
}

} // namespace

CommandLine parseCommandLine(const QByteArrayList &arguments)
{
    CommandLine line;
    line.program = programName(arguments.value(0));
    QString name = QString::fromUtf8(arguments.value(1));
    if (name == QLatin1String("-h") || name == QLatin1String("--help"))
        name = QStringLiteral("help");
    else if (name == QLatin1String("--version"))
        name = QStringLiteral("version");
    const Verb *verb = verbNamed(name);
    if (verb == nullptr) {
        line.error = unknownVerb(name, line.program);
        return line;
    }
    try {
        parseOptions(*verb, arguments.mid(2), line.options);
        if (line.options.help == Help::None)
            takeSettings(line, *verb);
        if (line.options.help == Help::None && line.error.isEmpty())
            line.error = complete(*verb, line.options, line.program.startsWith(QLatin1String("kubectl")));
    } catch (const CLI::ParseError &error) {
        line.error = QString::fromStdString(error.what());
    }
    if (line.error.isEmpty())
        line.verb = verb;
    else
        line.error += QStringLiteral("\nSee: %1 %2 --help").arg(line.program, name);
    return line;
}

} // namespace firstwatch::cli
