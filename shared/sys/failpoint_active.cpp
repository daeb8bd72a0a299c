// SPDX-License-Identifier: Apache-2.0
#include "sys/failpoint.h"

#include <QHash>
#include <QList>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <mutex>
#include <unistd.h>

namespace firstwatch::sys {
namespace {

struct Rule {
    QByteArray point;
    int error = 0;
    bool kill = false;
    int sleepMs = 0;
    int skip = 0;
    int count = -1;
    QByteArray whileFile;
};

int errnoByName(const QByteArray &name)
{
    static const QHash<QByteArray, int> names{ { "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "EBADF", EBADF },
        { "EBUSY", EBUSY }, { "EDQUOT", EDQUOT }, { "EEXIST", EEXIST }, { "EFBIG", EFBIG }, { "EINTR", EINTR },
        { "EINVAL", EINVAL }, { "EIO", EIO }, { "EISDIR", EISDIR }, { "ELOOP", ELOOP }, { "EMFILE", EMFILE },
        { "ENFILE", ENFILE }, { "ENODATA", ENODATA }, { "ENOENT", ENOENT }, { "ENOLCK", ENOLCK }, { "ENOMEM", ENOMEM },
        { "ENOSPC", ENOSPC }, { "ENOSYS", ENOSYS }, { "ENOTDIR", ENOTDIR }, { "ENOTSUP", ENOTSUP }, { "EPERM", EPERM },
        { "EROFS", EROFS }, { "ETXTBSY", ETXTBSY }, { "EXDEV", EXDEV } };
    return names.value(name, EIO);
}

void setKey(Rule &rule, const QByteArray &key, const QByteArray &value)
{
    if (key == "errno")
        rule.error = errnoByName(value);
    else if (key == "drop")
        rule.error = dropped;
    else if (key == "kill")
        rule.kill = true;
    else if (key == "sleep")
        rule.sleepMs = value.toInt();
    else if (key == "skip")
        rule.skip = value.toInt();
    else if (key == "count")
        rule.count = value.toInt();
    else if (key == "while")
        rule.whileFile = value;
}

QList<Rule> parse(const QByteArray &text)
{
    QList<Rule> rules;
    for (const QByteArray &part : text.split(';')) {
        const qsizetype colon = part.indexOf(':');
        if (colon <= 0)
            continue;
        Rule rule;
        rule.point = part.first(colon).trimmed();
        for (const QByteArray &pair : part.mid(colon + 1).split(',')) {
            const qsizetype equals = pair.indexOf('=');
            if (equals > 0)
                setKey(rule, pair.first(equals).trimmed(), pair.mid(equals + 1).trimmed());
        }
        rules.append(rule);
    }
    return rules;
}

struct State {
    std::mutex mutex;
    QList<Rule> rules = parse(qgetenv("FIRSTWATCH_FAULTS"));
    QList<QByteArray> passed;
    PointHook hook; // set and called by one thread
};

State &state()
{
    static State instance;
    return instance;
}

bool matches(const Rule &rule, const char *point)
{
    if (!rule.whileFile.isEmpty() && ::access(rule.whileFile.constData(), F_OK) != 0)
        return false;
    return rule.point.endsWith('*') ? QByteArrayView(point).startsWith(rule.point.chopped(1)) : rule.point == point;
}

// Takes the action of the first rule that applies; counts down its skip and count.
Rule take(const char *point)
{
    State &all = state();
    const std::scoped_lock lock(all.mutex);
    if (all.passed.size() < 100'000)
        all.passed.append(QByteArray(point));
    for (Rule &rule : all.rules) {
        if (!matches(rule, point) || rule.count == 0)
            continue;
        if (rule.skip > 0) {
            --rule.skip;
            continue;
        }
        if (rule.count > 0)
            --rule.count;
        return rule;
    }
    return {};
}

} // namespace

int faultAt(const char *point)
{
    if (const PointHook &hook = state().hook)
        hook(point);
    const Rule rule = take(point);
    if (rule.sleepMs > 0) {
        timespec left{ rule.sleepMs / 1000, (rule.sleepMs % 1000) * 1'000'000L };
        while (::nanosleep(&left, &left) != 0 && errno == EINTR) { }
    }
    if (rule.kill)
        ::raise(SIGKILL);
    return rule.error;
}

void setFaults(const QByteArray &rules)
{
    State &all = state();
    const std::scoped_lock lock(all.mutex);
    all.rules = parse(rules);
    all.passed.clear();
}

void setPointHook(PointHook hook)
{
    state().hook = std::move(hook);
}

QList<QByteArray> passedPoints()
{
    State &all = state();
    const std::scoped_lock lock(all.mutex);
    return all.passed;
}

} // namespace firstwatch::sys
