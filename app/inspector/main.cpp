// SPDX-License-Identifier: Apache-2.0
#include "stream/endpoint.h"
#include "ui/inspector/demopage.h"
#include "ui/inspector/mainwindow.h"
#include "ui/inspector/nodepage.h"

#include <QApplication>
#include <QCommandLineParser>

#include <cstdio>

using namespace firstwatch;

namespace {

void addOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(QStringLiteral(
        "Shows whether a node's watch was proven before the first pass, what happened since, and what to do about it.\n"
        "It only reads.\n\n"
        "Examples:\n"
        "  firstwatch-inspector run.fwz              a recording\n"
        "  firstwatch-inspector --socket /run/firstwatch/stream.sock\n"
        "  firstwatch-inspector --endpoint 127.0.0.1:9911\n"
        "  firstwatch-inspector --demo               the race, offline"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({ QStringLiteral("socket"), QStringLiteral("Follow the node behind this UNIX socket."),
        QStringLiteral("path") });
    parser.addOption({ QStringLiteral("endpoint"), QStringLiteral("Follow the node at this address."),
        QStringLiteral("host:port") });
    parser.addOption({ QStringLiteral("demo"), QStringLiteral("Begin with the demo.") });
    parser.addPositionalArgument(QStringLiteral("recording"), QStringLiteral("A capture, a history file, or a log."),
        QStringLiteral("[recording]"));
}

int refuse(const QString &why)
{
    std::fputs(qPrintable(QStringLiteral("firstwatch-inspector: ") + why + QStringLiteral("; see --help\n")), stderr);
    return 2;
}

} // namespace

int main(int argc, char **argv)
{
    const QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("firstwatch"));
    QApplication::setApplicationName(QStringLiteral("firstwatch-inspector"));
    QApplication::setApplicationVersion(QStringLiteral(FIRSTWATCH_VERSION));
    QCommandLineParser parser;
    addOptions(parser);
    parser.process(application);
    if (parser.positionalArguments().size() > 1)
        return refuse(QStringLiteral("one recording at a time"));

    ui::MainWindow window;
    stream::Client::Options link;
    link.name = QStringLiteral("firstwatch/" FIRSTWATCH_VERSION " inspector");
    if (parser.isSet(QStringLiteral("endpoint"))) {
        const std::optional<stream::Endpoint> endpoint = stream::tcpEndpoint(parser.value(QStringLiteral("endpoint")));
        if (!endpoint)
            return refuse(QStringLiteral("'%1' is not host:port").arg(parser.value(QStringLiteral("endpoint"))));
        window.connectTo(*endpoint, link);
    } else if (parser.isSet(QStringLiteral("socket"))) {
        stream::Endpoint endpoint;
        endpoint.path = parser.value(QStringLiteral("socket"));
        window.connectTo(endpoint, link);
    } else if (!parser.positionalArguments().isEmpty()) {
        window.open(parser.positionalArguments().first());
    } else if (parser.isSet(QStringLiteral("demo"))) {
        window.showPlace(ui::MainWindow::Demo);
        window.demoPage().play();
    }
    window.show();
    return QApplication::exec();
}
