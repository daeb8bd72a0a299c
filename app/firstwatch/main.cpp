// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/commandline.h"
#include "app/firstwatch/help.h"

#include <QCoreApplication>

#include <clocale>
#include <csignal>
#include <langinfo.h>
#include <unistd.h>

using namespace firstwatch::cli;

namespace {

// The encoding that the user's locale names. Asked before Qt is there, which replaces a locale that has none.
QByteArray localeEncoding()
{
    std::setlocale(LC_CTYPE, "");
    return ::nl_langinfo(CODESET);
}

// Nothing is buffered, so there is nothing to flush.
void interrupt(int)
{
    ::_exit(exitcode::interrupted);
}

int refuse(Output &out, const QString &error)
{
    out.error(error);
    return exitcode::usage;
}

int run(CommandLine &line, Output &out)
{
    if (line.verb == nullptr)
        return refuse(out, line.error);
    if (line.options.help != Help::None) {
        out.lines(
            line.options.help == Help::Long ? verbHelp(*line.verb, line.program) : shortHelp(*line.verb, line.program));
        return exitcode::nothing;
    }
    if (line.options.printsFilter) {
        out.lines(line.options.filter.terms.text() + u'\n');
        return exitcode::nothing;
    }
    if (!line.warning.isEmpty())
        out.note(QStringLiteral("firstwatch: ") + line.warning + QStringLiteral("; goes on without that file"));
    Call call{ line.options, out, line.program };
    const int code = line.verb->run(call);
    if (!out.isBroken())
        return code;
    out.error(QStringLiteral("the output could not be written"));
    return exitcode::notCollected;
}

} // namespace

int main(int argc, char **argv)
{
    const QByteArray encoding = localeEncoding();
    std::signal(SIGINT, interrupt);
    CommandLine line = parseCommandLine(QByteArrayList(argv, argv + argc));
    Output out(line.options.colour, line.options.isQuiet, encoding);
    // Qt says on the standard error that it has changed the locale; that is nobody's concern here.
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
    const QCoreApplication application(argc, argv);
    qInstallMessageHandler(before);
    return run(line, out);
}
