// SPDX-License-Identifier: Apache-2.0
#include "journal/log.h"

#include "journal/codes.h"
#include "journal/linewriter.h"
#include "journal/redact.h"
#include "sys/clock.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/dup_filter_sink.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <unistd.h>

namespace firstwatch::journal {
namespace {

struct Style {
    bool isText = false;
    bool hasColour = false;
};

// What the log alone says: shaped as an event, so that one reader does for the whole log.
Event note(const QString &text)
{
    return { 0, {}, sys::bootTimeNs(), wallNowUs(), Kind::Note, {}, { { QLatin1String("text"), text } } };
}

spdlog::level::level_enum spdlogLevel(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return spdlog::level::debug;
    case LogLevel::Info:
        return spdlog::level::info;
    case LogLevel::Warning:
        return spdlog::level::warn;
    case LogLevel::Error:
        break;
    }
    return spdlog::level::err;
}

QByteArray levelText(spdlog::level::level_enum level, bool hasColour)
{
    const char *word = "debug  ";
    const char *colour = "\x1b[2m"; // faint
    if (level >= spdlog::level::err) {
        word = "ERROR  ";
        colour = "\x1b[1;31m"; // bold red
    } else if (level == spdlog::level::warn) {
        word = "WARNING";
        colour = "\x1b[33m"; // yellow
    } else if (level == spdlog::level::info) {
        word = "info   ";
        colour = "";
    }
    return hasColour && *colour != '\0' ? QByteArray(colour) + word + "\x1b[0m" : QByteArray(word);
}

QByteArray rendered(const Event &event, spdlog::level::level_enum level, Style style)
{
    if (!style.isText)
        return toLine(event);
    return humanTime(event).toUtf8() + ' ' + levelText(level, style.hasColour) + ' ' + humanText(event).toUtf8() + '\n';
}

// The payload is the line.
class LineSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
public:
    explicit LineSink(std::shared_ptr<LineWriter> writer)
        : m_writer(std::move(writer))
    {
    }

protected:
    void sink_it_(const spdlog::details::log_msg &message) override
    {
        m_writer->write(QByteArray(message.payload.data(), qsizetype(message.payload.size())));
    }
    void flush_() override { }

private:
    std::shared_ptr<LineWriter> m_writer;
};

// The payload is a text to say, and gets its time here, so that the filter before it can tell repeated ones.
class NoteSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
public:
    NoteSink(std::shared_ptr<LineWriter> writer, Style style)
        : m_writer(std::move(writer))
        , m_style(style)
    {
    }

protected:
    void sink_it_(const spdlog::details::log_msg &message) override
    {
        const QString text = QString::fromUtf8(message.payload.data(), qsizetype(message.payload.size()));
        m_writer->write(rendered(note(text), message.level, m_style));
    }
    void flush_() override { }

private:
    std::shared_ptr<LineWriter> m_writer;
    Style m_style;
};

constexpr auto repeatedWithin = std::chrono::seconds(30);

struct Log {
    Log(Style chosen, LogLevel level)
        : style(chosen)
        , writer(std::make_shared<LineWriter>(STDERR_FILENO,
              [chosen](quint64 count) {
                  return rendered(
                      note(QStringLiteral("… %1 log lines dropped").arg(count)), spdlog::level::warn, chosen);
              }))
        , events("events", std::make_shared<LineSink>(writer))
        , messages("messages", std::make_shared<spdlog::sinks::dup_filter_sink_mt>(repeatedWithin))
    {
        const auto filter = std::static_pointer_cast<spdlog::sinks::dup_filter_sink_mt>(messages.sinks().front());
        filter->add_sink(std::make_shared<NoteSink>(writer, chosen));
        events.set_level(spdlogLevel(level));
        messages.set_level(spdlogLevel(level));
    }

    Style style;
    std::shared_ptr<LineWriter> writer;
    spdlog::logger events;
    spdlog::logger messages;
};

// Never destroyed: Qt may have something to say until the very end of the process.
std::shared_ptr<Log> &currentLog()
{
    static auto *log = new std::shared_ptr<Log>;
    return *log;
}

LogLevel levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg:
        return LogLevel::Debug;
    case QtInfoMsg:
        return LogLevel::Info;
    case QtWarningMsg:
        return LogLevel::Warning;
    default:
        return LogLevel::Error;
    }
}

void logQtMessage(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    thread_local bool isInside = false; // Qt warning about what we do with its warning
    const std::shared_ptr<Log> log = currentLog();
    if (isInside || !log)
        return;
    isInside = true;
    const QString text = redactedText(qFormatLogMessage(type, context, message));
    log->messages.log(spdlogLevel(levelOf(type)), spdlog::string_view_t(text.toUtf8().constData()));
    isInside = false;
}

bool isVariableSet(const char *name)
{
    const char *value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): at start
    return value != nullptr && *value != '\0';
}

Style chosenStyle(LogFormat format)
{
    const bool isTerminal = ::isatty(STDERR_FILENO) == 1;
    const bool isText = format == LogFormat::Text || (format == LogFormat::Auto && isTerminal);
    return { isText, isText && isTerminal && !isVariableSet("NO_COLOR") };
}

LogLevel levelOfFinding(const Event &event)
{
    const CodeEntry *entry = codeEntry(event.fields[QLatin1String("code")].toInt());
    if (entry == nullptr || entry->severity == Severity::Warning)
        return LogLevel::Warning;
    return entry->severity == Severity::Error ? LogLevel::Error : LogLevel::Info;
}

// A pass every half minute that finds all well is no news.
bool isRoutine(const Event &pass)
{
    const auto number = [&pass](QLatin1String name) { return pass.fields[name].toInteger(); };
    return number(QLatin1String("pass")) != 1 && number(QLatin1String("patched")) == 0
        && number(QLatin1String("missed")) == 0;
}

} // namespace

LogLevel levelOf(const Event &event)
{
    switch (event.kind) {
    case Kind::FileChange:
        return LogLevel::Debug;
    case Kind::PassBegin:
        return isRoutine(event) ? LogLevel::Debug : LogLevel::Info;
    case Kind::PassEnd:
        if (event.fields[QLatin1String("missed")].toInteger() > 0 || !event.fields[QLatin1String("clean")].toBool(true))
            return LogLevel::Warning;
        return isRoutine(event) ? LogLevel::Debug : LogLevel::Info;
    case Kind::WatchLost:
    case Kind::WatchPolling:
    case Kind::PatchFailed:
    case Kind::Overflow:
        return LogLevel::Warning;
    case Kind::ProcessStop:
        return event.fields[QLatin1String("clean")].toBool() ? LogLevel::Info : LogLevel::Warning;
    case Kind::CleanupStep:
        return event.fields[QLatin1String("ok")].toBool() ? LogLevel::Info : LogLevel::Warning;
    case Kind::FindingOpen:
        return levelOfFinding(event);
    default:
        return LogLevel::Info;
    }
}

void startLog(LogFormat format, LogLevel level)
{
    std::signal(SIGPIPE, SIG_IGN);
    currentLog() = std::make_shared<Log>(chosenStyle(format), level);
    qInstallMessageHandler(logQtMessage);
}

void logEvent(const Event &event, const QByteArray &line)
{
    const std::shared_ptr<Log> log = currentLog();
    const spdlog::level::level_enum level = spdlogLevel(levelOf(event));
    if (!log || !log->events.should_log(level))
        return;
    const QByteArray text = log->style.isText || line.isEmpty() ? rendered(event, level, log->style) : line;
    log->events.log(level, spdlog::string_view_t(text.constData(), size_t(text.size())));
}

quint64 droppedLogLines()
{
    const std::shared_ptr<Log> log = currentLog();
    return log ? log->writer->dropped() : 0;
}

} // namespace firstwatch::journal
