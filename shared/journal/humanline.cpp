// SPDX-License-Identifier: Apache-2.0
#include "journal/humanline.h"

#include "journal/codes.h"

#include <QStringList>

#include <cstring>
#include <sys/inotify.h>

namespace firstwatch::journal {
namespace {

// The widest kind is "kubeconfig.written".
constexpr int kindWidth = 18;

class Fields {
public:
    explicit Fields(const Event &event)
        : m_fields(event.fields)
    {
    }
    [[nodiscard]] bool has(const char *name) const { return m_fields.contains(QLatin1String(name)); }
    [[nodiscard]] bool isTrue(const char *name, bool otherwise = false) const
    {
        return m_fields[QLatin1String(name)].toBool(otherwise);
    }
    [[nodiscard]] qint64 number(const char *name) const { return m_fields[QLatin1String(name)].toInteger(); }
    // A string or a number as text, empty when there is neither.
    [[nodiscard]] QString text(const char *name) const
    {
        const QJsonValue value = m_fields[QLatin1String(name)];
        return value.isDouble() ? QString::number(value.toInteger()) : value.toString();
    }
    // `before` + text + `after`, or nothing when the field is missing.
    [[nodiscard]] QString part(const char *before, const char *name, const char *after = "") const
    {
        const QString value = text(name);
        return value.isEmpty() ? QString() : QString::fromUtf8(before) + value + QString::fromUtf8(after);
    }
    [[nodiscard]] QString error() const
    {
        const int error = int(number("errno"));
        return error == 0 ? QString() : QStringLiteral(" (%1)").arg(QString::fromLocal8Bit(std::strerror(error)));
    }
    [[nodiscard]] QString retry() const { return part(", again in ", "retry_ms", " ms"); }

private:
    const QJsonObject &m_fields;
};

// With its sign always: a margin below zero is the race.
QString margin(qint64 ns)
{
    const double us = double(ns) / 1'000;
    const QString sign = ns < 0 ? QString() : QStringLiteral("+");
    return qAbs(us) < 1'000 ? QStringLiteral("%1%2 µs").arg(sign).arg(us, 0, 'f', 0)
                            : QStringLiteral("%1%2 ms").arg(sign).arg(us / 1'000, 0, 'f', 2);
}

// "MODIFY CLOSE_WRITE", empty when a pass found the change.
QString maskText(qint64 mask)
{
    struct Bit {
        quint32 bit;
        const char *name;
    };
    constexpr Bit bits[] = {
        { IN_CREATE, "CREATE" },
        { IN_MODIFY, "MODIFY" },
        { IN_CLOSE_WRITE, "CLOSE_WRITE" },
        { IN_MOVED_FROM, "MOVED_FROM" },
        { IN_MOVED_TO, "MOVED_TO" },
        { IN_ATTRIB, "ATTRIB" },
        { IN_DELETE, "DELETE" },
    };
    QString text;
    for (const Bit &bit : bits)
        text += (mask & bit.bit) != 0 ? QLatin1Char(' ') + QLatin1String(bit.name) : QString();
    return text;
}

QString expiry(qint64 seconds)
{
    // A token of a stranger may say any number; the last second of the year 9999 is the last one that can be shown.
    if (seconds <= 0 || seconds > 253'402'300'799)
        return {};
    return QStringLiteral("expires ") + QString::fromLatin1(wallText(seconds * 1'000'000).left(19)) + QLatin1Char('Z');
}

QString findingText(const Fields &fields, bool opens)
{
    const CodeEntry *entry = codeEntry(int(fields.number("code")));
    QStringList parts{ QStringLiteral("FW%1").arg(fields.number("code")) };
    if (fields.has("file") && !fields.text("file").isEmpty())
        parts << fields.text("file") + fields.part(":", "line") + fields.part(":", "column");
    if (opens)
        parts << fields.text("text");
    else if (entry != nullptr)
        parts << QStringLiteral("over: ") + QString::fromUtf8(entry->title);
    if (opens && entry != nullptr)
        parts << QStringLiteral("→ ") + QString::fromUtf8(entry->next);
    return parts.join(QStringLiteral("  "));
}

QString processText(Kind kind, const Fields &fields)
{
    if (kind == Kind::ProcessStart)
        return QStringLiteral("version ") + fields.text("version") + fields.part(", pid ", "pid")
            + fields.part(", node ", "node") + fields.part(", ", "net_dir");
    const QString how = fields.isTrue("clean") ? QStringLiteral("clean") : QStringLiteral("not clean");
    return how + fields.part(": ", "summary");
}

QString watchText(Kind kind, const Fields &fields)
{
    switch (kind) {
    case Kind::WatchArmed:
        return fields.text("backend") + fields.part(" on ", "dir");
    case Kind::WatchProven:
        return fields.part("after ", "probe_us", " µs") + fields.part(" by ", "probe")
            + fields.part(", second witness ", "witness");
    case Kind::WatchLost:
        return fields.text("reason") + fields.error();
    case Kind::WatchPolling:
        return fields.part("every ", "interval_ms", " ms") + fields.part(": ", "reason");
    default:
        return fields.part("second witness ", "witness");
    }
}

QString passText(Kind kind, const Fields &fields)
{
    const QString number = QStringLiteral("#") + fields.text("pass");
    if (kind == Kind::PassEnd)
        return number + fields.part("  ", "files", " files") + fields.part(", ", "patched", " patched")
            + fields.part(", ", "missed", " missed") + fields.part(", ", "us", " µs")
            + (fields.isTrue("clean", true) ? QString() : QStringLiteral(", not clean"));
    const QString ready =
        fields.has("margin_ns") ? QStringLiteral(", ready margin ") + margin(fields.number("margin_ns")) : QString();
    return number + fields.part("  ", "reason") + ready;
}

QString fileText(Kind kind, const Fields &fields)
{
    const QString file = fields.text("file") + QStringLiteral("  ");
    switch (kind) {
    case Kind::FileChange:
        return file + fields.part("by ", "via") + maskText(fields.number("mask"));
    case Kind::FileState:
        return file + fields.text("state") + (fields.isTrue("active") ? QStringLiteral(", active") : QString());
    case Kind::FileUnreadable:
        return file + fields.text("why") + fields.retry();
    case Kind::PatchApplied:
        return file + fields.part("", "us", " µs")
            + (fields.isTrue("repatch") ? QStringLiteral(", repatch") : QString())
            + (fields.isTrue("recovered") ? QStringLiteral(", newer content kept") : QString());
    case Kind::PatchFailed:
        return file + fields.part("at ", "step") + fields.error() + fields.retry();
    case Kind::KubeconfigWritten:
        return file + fields.part("mode ", "mode");
    case Kind::BinaryInstalled:
        return file + fields.text("sha").left(12);
    default:
        return file + fields.text("sha_after").left(12);
    }
}

QString serviceText(Kind kind, const Fields &fields)
{
    switch (kind) {
    case Kind::Overflow:
        return fields.part("", "count", " times: events were lost, everything is looked at again");
    case Kind::TokenRotated:
        return fields.part("age ", "age_s", " s  ") + expiry(fields.number("expires"));
    case Kind::LockWaiting:
        return fields.part("held by ", "holder");
    case Kind::LockTaken:
        return fields.part("after ", "waited_ms", " ms");
    default:
        return fields.text("step") + fields.part("  ", "file")
            + (fields.isTrue("ok") ? QStringLiteral("  done") : QStringLiteral("  failed")) + fields.error();
    }
}

QString detail(const Event &event)
{
    const Fields fields(event);
    switch (event.kind) {
    case Kind::ProcessStart:
    case Kind::ProcessStop:
        return processText(event.kind, fields);
    case Kind::WatchArmed:
    case Kind::WatchProven:
    case Kind::WatchLost:
    case Kind::WatchPolling:
    case Kind::WatchWitness:
        return watchText(event.kind, fields);
    case Kind::PassBegin:
    case Kind::PassEnd:
        return passText(event.kind, fields);
    case Kind::FileChange:
    case Kind::FileState:
    case Kind::FileUnreadable:
    case Kind::PatchApplied:
    case Kind::PatchFailed:
    case Kind::PatchUndone:
    case Kind::KubeconfigWritten:
    case Kind::BinaryInstalled:
        return fileText(event.kind, fields);
    case Kind::Overflow:
    case Kind::TokenRotated:
    case Kind::LockWaiting:
    case Kind::LockTaken:
    case Kind::CleanupStep:
        return serviceText(event.kind, fields);
    case Kind::FindingOpen:
    case Kind::FindingClose:
        return findingText(fields, event.kind == Kind::FindingOpen);
    case Kind::Note:
    case Kind::Unknown:
        break;
    }
    return fields.text("text");
}

} // namespace

QString humanTime(const Event &event)
{
    return QString::fromLatin1(wallText(event.wallUs).mid(11, 12)); // hours to milliseconds
}

QString humanText(const Event &event)
{
    const QString kind = event.kind == Kind::Unknown ? event.unknownKind : QString(kindName(event.kind));
    const QString line = kind.leftJustified(kindWidth) + QLatin1Char(' ') + detail(event);
    return shownText(line.trimmed());
}

QString humanDetail(const Event &event)
{
    Event bare = event;
    bare.fields.remove(QLatin1String("file"));
    return shownText(detail(bare).trimmed());
}

QString humanLine(const Event &event)
{
    return humanTime(event) + QLatin1Char(' ') + humanText(event);
}

} // namespace firstwatch::journal
