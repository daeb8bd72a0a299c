// SPDX-License-Identifier: Apache-2.0
#include "stream/answers.h"

#include "sys/clock.h"

#include <QHash>

#include <algorithm>

namespace firstwatch::stream {
namespace {

constexpr quint64 mostEvents = 1000; // in one answer
constexpr qsizetype envelopeBytes = 256; // around them

using Method = QByteArray (*)(const Request &request, const Desk &desk);

QByteArray bounded(const Request &request, const QJsonObject &result)
{
    QByteArray line = resultLine(request.id, result);
    if (line.size() <= longestFrame)
        return line;
    return errorLine(request.id, ErrorCode::TooLarge,
        QStringLiteral("the answer has %1 bytes, and a frame has at most %2").arg(line.size()).arg(longestFrame));
}

// The lines go into the answer as they are, so that whatever a line holds comes out unharmed.
QByteArray events(const Request &request, const Desk &desk)
{
    const quint64 last = desk.tape.last();
    const auto from = seqParameter(request.params, u"from", 1);
    const auto to = seqParameter(request.params, u"to", last);
    const auto limit = seqParameter(request.params, u"limit", mostEvents);
    if (!from || !to || !limit || *from == 0 || *limit == 0)
        return errorLine(
            request.id, ErrorCode::InvalidParams, QStringLiteral("from, to and limit are integers from 1 on"));
    QByteArrayList lines;
    qsizetype bytes = envelopeBytes;
    quint64 next = *from;
    for (const journal::Ring::Entry &entry : desk.tape.ring().since(*from - 1)) {
        bytes += entry.line.size();
        if (entry.seq > *to || quint64(lines.size()) == std::min(*limit, mostEvents) || bytes > longestFrame)
            break;
        lines.append(entry.line.trimmed());
        next = entry.seq + 1;
    }
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(request.id)
        + ",\"result\":{\"more\":" + (next <= std::min(*to, last) && !lines.isEmpty() ? "true" : "false")
        + ",\"next\":" + QByteArray::number(next) + ",\"events\":[" + lines.join(',') + "]}}\n";
}

QByteArray notKept(const Request &request, quint64 seq, const DiffStore &store)
{
    const std::deque<Diff> &kept = store.diffs();
    const quint64 first = kept.empty() ? 0 : kept.front().seq;
    const quint64 last = kept.empty() ? 0 : kept.back().seq;
    const QString what = seq <= store.evictedTo() ? QStringLiteral("what changed at %1 is not kept any more").arg(seq)
                                                  : QStringLiteral("%1 is no patch whose changes are known").arg(seq);
    const QString rest = kept.empty()
        ? QStringLiteral("there is none yet")
        : QStringLiteral("there are %1, from %2 to %3").arg(kept.size()).arg(first).arg(last);
    return errorLine(request.id, ErrorCode::NotKept, what + QStringLiteral(": ") + rest,
        { { QStringLiteral("first"), qint64(first) }, { QStringLiteral("last"), qint64(last) },
            { QStringLiteral("count"), qint64(kept.size()) } });
}

QByteArray diff(const Request &request, const Desk &desk)
{
    if (const std::optional<QByteArray> error = bootError(request, desk.tape))
        return *error;
    const auto seq = seqParameter(request.params, u"seq", 0);
    const auto offset = seqParameter(request.params, u"offset", 0);
    if (!seq || !offset || *seq == 0)
        return errorLine(request.id, ErrorCode::InvalidParams,
            QStringLiteral("seq is that of a patch.applied event, and offset an integer from 0 on"));
    const Diff *const found = desk.diffs.find(*seq);
    if (found == nullptr)
        return notKept(request, *seq, desk.diffs);
    if (*offset > quint64(found->size()))
        return errorLine(
            request.id, ErrorCode::InvalidParams, QStringLiteral("offset is at most %1 here").arg(found->size()));
    return bounded(request, diffPage(*found, qsizetype(*offset)));
}

QByteArray config(const Request &request, const Desk &desk)
{
    return bounded(request, desk.options.config);
}

QByteArray counters(const Request &request, const Desk &desk)
{
    return bounded(request,
        { { QStringLiteral("server"), desk.counters.toJson() },
            { QStringLiteral("journal"), desk.tape.view().toJson().value(u"counters") } });
}

QByteArray ping(const Request &request, const Desk &desk)
{
    return resultLine(request.id,
        { { QStringLiteral("seq"), qint64(desk.tape.last()) }, { QStringLiteral("t_ns"), sys::bootTimeNs() } });
}

} // namespace

QByteArray answer(const Request &request, const Desk &desk)
{
    static const QHash<QString, Method> methods{ { QStringLiteral("events"), events }, { QStringLiteral("diff"), diff },
        { QStringLiteral("config"), config }, { QStringLiteral("counters"), counters },
        { QStringLiteral("ping"), ping } };
    const Method method = methods.value(request.method);
    if (method)
        return method(request, desk);
    return errorLine(request.id, ErrorCode::MethodNotFound, QStringLiteral("no such method in this version"));
}

std::optional<QByteArray> bootError(const Request &request, const Tape &tape)
{
    const QString boot = QString::fromLatin1(tape.view().boot);
    if (request.params.value(u"boot").toString(boot) == boot)
        return {};
    return errorLine(request.id, ErrorCode::BootChanged, QStringLiteral("the service was started anew"),
        { { QStringLiteral("boot"), boot }, { QStringLiteral("seq"), qint64(tape.last()) } });
}

std::optional<quint64> seqParameter(const QJsonObject &params, QStringView name, quint64 fallback)
{
    const QJsonValue value = params.value(name);
    const qint64 number = value.toInteger(-1);
    if (value.isUndefined())
        return fallback;
    return number < 0 ? std::nullopt : std::optional(quint64(number));
}

} // namespace firstwatch::stream
