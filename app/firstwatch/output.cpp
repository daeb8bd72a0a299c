// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/output.h"

#include <QProcess>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/ioctl.h>
#include <unistd.h>

namespace firstwatch::cli {
namespace {

constexpr int narrowest = 40; // below, wrapping helps nobody

// NO_COLOR (no-color.org) and CLICOLOR_FORCE (bixense.com/clicolors) count when they are not empty.
bool wantsColour(Colour colour, bool isTerminal)
{
    if (colour != Colour::Auto)
        return colour == Colour::Always;
    if (!qEnvironmentVariableIsEmpty("NO_COLOR"))
        return false;
    const QByteArray force = qgetenv("CLICOLOR_FORCE");
    if (!force.isEmpty() && force != "0")
        return true;
    return isTerminal && qgetenv("TERM") != "dumb";
}

// COLUMNS for who wants it otherwise, or has no terminal.
int columnsOf(bool isTerminal)
{
    bool isNumber = false;
    const int wanted = qgetenv("COLUMNS").toInt(&isNumber);
    if (isNumber && wanted > 0)
        return std::max(wanted, narrowest);
    winsize size{};
    if (isTerminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return std::max(int(size.ws_col), narrowest);
    return isTerminal ? 80 : 0;
}

bool writeAll(int descriptor, const QByteArray &bytes)
{
    const char *at = bytes.constData();
    for (qsizetype rest = bytes.size(); rest > 0;) {
        const ssize_t written = ::write(descriptor, at, size_t(rest));
        if (written < 0 && errno != EINTR)
            return false;
        at += std::max<ssize_t>(written, 0);
        rest -= std::max<ssize_t>(written, 0);
    }
    return true;
}

// False when there is no such program. Ctrl-C is the pager's meanwhile. less(1) is told as git does: colours, and no
// waiting for what fits the screen.
bool runPager(const QString &command, const QByteArray &text)
{
    QStringList words = QProcess::splitCommand(command);
    if (words.isEmpty())
        return false;
    QProcess pager;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!environment.contains(QStringLiteral("LESS")))
        environment.insert(QStringLiteral("LESS"), QStringLiteral("FRX"));
    pager.setProcessEnvironment(environment);
    pager.setProcessChannelMode(QProcess::ForwardedChannels);
    pager.setChildProcessModifier([] { std::signal(SIGINT, SIG_DFL); });
    const auto before = std::signal(SIGINT, SIG_IGN);
    pager.start(words.takeFirst(), words);
    const bool isStarted = pager.waitForStarted(-1);
    if (isStarted) {
        pager.write(text);
        pager.closeWriteChannel();
        pager.waitForFinished(-1);
    }
    std::signal(SIGINT, before);
    return isStarted;
}

} // namespace

Output::Output(Colour colour, bool isQuiet, const QByteArray &encoding)
    : m_isQuiet(isQuiet)
    , m_isTerminal(::isatty(STDOUT_FILENO) == 1)
    , m_isWatched(::isatty(STDERR_FILENO) == 1)
{
    m_look = { wantsColour(colour, m_isTerminal), encoding == "UTF-8", columnsOf(m_isTerminal) };
}

void Output::data(const QString &text)
{
    data(text.toUtf8());
}

void Output::data(const QByteArray &bytes)
{
    progress({});
    if (!m_isQuiet && !m_isBroken)
        m_isBroken = !writeAll(STDOUT_FILENO, bytes);
}

void Output::page(const QString &text)
{
    const QString pager = qEnvironmentVariable("PAGER");
    if (!m_isTerminal || m_isQuiet || pager.isEmpty() || !runPager(pager, text.toUtf8()))
        data(text);
}

void Output::error(const QString &text)
{
    say(QStringLiteral("firstwatch: ") + text);
}

void Output::note(const QString &text)
{
    if (!m_isQuiet)
        say(text);
}

void Output::verdict(const QString &text)
{
    if (m_isWatched)
        note(text);
}

void Output::progress(const QByteArray &text)
{
    if (text.isEmpty() && !m_hasProgress)
        return;
    if (!m_isWatched || m_isQuiet || qEnvironmentVariable("TERM") == QLatin1String("dumb"))
        return;
    (void)writeAll(STDERR_FILENO, "\r" + text + "\033[K");
    m_hasProgress = !text.isEmpty();
}

void Output::progress(qint64 done, qint64 all)
{
    progress(
        done < all ? QByteArray(QByteArray::number(done) + '/' + QByteArray::number(all) + " nodes") : QByteArray());
}

void Output::lines(const QString &text)
{
    data(shown(text));
}

void Output::say(const QString &text)
{
    progress({});
    (void)writeAll(STDERR_FILENO, shown(text + u'\n'));
}

// Line by line: an end of a line that is ours is no character to be escaped.
QByteArray Output::shown(const QString &text) const
{
    QStringList all;
    for (const QString &line : text.split(u'\n'))
        all += ui::shown(m_look, line);
    return all.join(u'\n').toUtf8();
}

} // namespace firstwatch::cli
