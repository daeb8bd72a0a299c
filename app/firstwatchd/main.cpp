// SPDX-License-Identifier: Apache-2.0
#include "service/cleanup.h"
#include "service/probe.h"
#include "service/relay.h"
#include "service/service.h"
#include "service/signals.h"

#include <QCoreApplication>

#include <cstdio>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::service;

namespace {

int print(const Printed &printed)
{
    std::fputs(printed.text.constData(), printed.exitCode == 0 ? stdout : stderr);
    return printed.exitCode;
}

int refuse(const QString &error)
{
    std::fprintf(stderr, "firstwatchd: %s\n", error.toUtf8().constData());
    return 2;
}

int showConfig(const Settings &settings)
{
    std::fputs(settingsTable(settings).toUtf8().constData(), stdout);
    return 0;
}

int answerProbe(const Settings &settings)
{
    const ProbeResult result = probe(settings);
    std::fprintf(result.good ? stdout : stderr, "%s\n", result.text.toUtf8().constData());
    return result.good ? 0 : 1;
}

int runRelay(const Settings &settings)
{
    const QByteArray path = settings.streamSocketPath();
    if (path.isEmpty())
        return refuse(QStringLiteral("relay: --stream-socket is none, so there is nothing to connect to"));
    letSignalsEnd();
    return relay(path, STDIN_FILENO, STDOUT_FILENO);
}

int runCleanup(const Settings &settings, const Templates &templates)
{
    journal::Journal journal;
    watch::Inotify inotify;
    Sinks sinks(journal, settings);
    const patch::PatchOptions options = patchOptions(settings, templates);
    Surroundings surroundings(settings, options.chain.types(), inotify, journal);
    const CleanupResult result = cleanUp(settings, options, surroundings, journal);
    std::fprintf(stdout, "%s\n", result.summary.toUtf8().constData());
    return result.whole ? 0 : 1;
}

int runService(const Settings &settings, const Templates &templates)
{
    if (const QString error = Kubeconfig(settings).refusal(); !error.isEmpty())
        return refuse(error);
    Service service(settings, templates);
    SignalFd signalFd;
    QObject::connect(&signalFd, &SignalFd::terminated, &service, &Service::stop);
    QObject::connect(
        &service, &Service::finished, QCoreApplication::instance(), &QCoreApplication::exit, Qt::QueuedConnection);
    service.start();
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    prepareSignals();
    // The dispatcher on poll(2) alone: GLib's brings nothing here and costs a wake-up more for each event.
    qputenv("QT_NO_GLIB", "1");
    const std::variant<Settings, Printed> parsed =
        parseSettings(QByteArrayList(argv + 1, argv + argc), processEnvironment());
    if (const auto *printed = std::get_if<Printed>(&parsed))
        return print(*printed);
    const Settings &settings = *std::get_if<Settings>(&parsed); // std::get() could throw
    if (settings.command == Command::Config)
        return showConfig(settings);
    if (settings.command == Command::Probe)
        return answerProbe(settings);
    if (settings.command == Command::Relay)
        return runRelay(settings);
    const Templates templates = loadTemplates(settings);
    if (!templates.error.isEmpty())
        return refuse(templates.error);
    const QCoreApplication application(argc, argv);
    return settings.command == Command::Cleanup ? runCleanup(settings, templates) : runService(settings, templates);
}
