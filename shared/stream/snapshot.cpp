// SPDX-License-Identifier: Apache-2.0
#include "stream/snapshot.h"

#include "sys/clock.h"

#include <QJsonDocument>

#include <algorithm>

namespace firstwatch::stream {
namespace {

constexpr qsizetype envelopeBytes = 512; // of the answer, and the names of what is put into it here

qsizetype bytesOf(const QJsonObject &json)
{
    return QJsonDocument(json).toJson(QJsonDocument::Compact).size();
}

// As many as there is room for, and at least one: none is nearly as large as a frame.
class Part {
public:
    explicit Part(qsizetype room)
        : m_room(room)
    {
    }
    void take(const QJsonArray &all, qsizetype &at, qsizetype room, QJsonArray &taken)
    {
        room = std::min(room, m_room);
        for (; at < all.size(); ++at) {
            const qsizetype bytes = bytesOf(all.at(at).toObject()) + 1;
            if (bytes > room && !isEmpty())
                return;
            room -= bytes;
            m_room -= bytes;
            m_isEmpty = false;
            taken.append(all.at(at));
        }
    }
    [[nodiscard]] qsizetype room() const { return m_room; }
    [[nodiscard]] bool isEmpty() const { return m_isEmpty; }

private:
    qsizetype m_room;
    bool m_isEmpty = true;
};

QJsonObject placeJson(Place place)
{
    return { { QStringLiteral("files"), place.files }, { QStringLiteral("findings"), place.findings } };
}

// The lists stand where they stand in a whole view.
void putInto(QJsonObject &result, const QJsonArray &files, const QJsonArray &findings)
{
    QJsonObject view = result.value(u"view").toObject();
    QJsonObject state = view.value(u"state").toObject();
    state.insert(QStringLiteral("files"), files);
    state.insert(QStringLiteral("findings"), findings);
    view.insert(QStringLiteral("state"), state);
    result.insert(QStringLiteral("view"), view);
}

Frozen frozenOf(const Tape &tape)
{
    const journal::NodeView &view = tape.view();
    const qint64 nowNs = sys::bootTimeNs();
    const QJsonObject ring{ { QStringLiteral("first"), qint64(tape.first()) },
        { QStringLiteral("pinned"), qint64(tape.ring().first().size()) },
        { QStringLiteral("last"), qint64(tape.last()) } };
    Frozen frozen{ view.seq,
        { { QStringLiteral("boot"), QString::fromLatin1(view.boot) }, { QStringLiteral("seq"), qint64(view.seq) },
            { QStringLiteral("t_ns"), view.tNs },
            { QStringLiteral("wall"), QString::fromLatin1(journal::wallText(view.wallUs)) },
            { QStringLiteral("state"), journal::stateWord(view.state.word(nowNs)) },
            { QStringLiteral("now_ns"), nowNs }, { QStringLiteral("view"), view.toJson() },
            { QStringLiteral("ring"), ring } },
        {}, {} };
    const QJsonValue state = frozen.result.value(u"view")[u"state"];
    frozen.files = state[u"files"].toArray();
    frozen.findings = state[u"findings"].toArray();
    putInto(frozen.result, {}, {});
    return frozen;
}

} // namespace

QJsonObject snapshotPart(const Frozen &frozen, Place from)
{
    const bool isFirst = from.files == 0 && from.findings == 0;
    QJsonObject result = isFirst ? frozen.result
                                 : QJsonObject{ { QStringLiteral("boot"), frozen.result.value(u"boot") },
                                       { QStringLiteral("seq"), qint64(frozen.seq) } };
    QJsonArray files;
    QJsonArray findings;
    Part part(longestFrame - envelopeBytes - bytesOf(result));
    part.take(frozen.findings, from.findings, part.room() / 2, findings); // what is wrong is not to wait for the files
    part.take(frozen.files, from.files, part.room(), files);
    if (from.files == frozen.files.size())
        part.take(frozen.findings, from.findings, part.room(), findings);
    const bool hasMore = from.files < frozen.files.size() || from.findings < frozen.findings.size();
    if (isFirst) {
        putInto(result, files, findings);
    } else {
        result.insert(QStringLiteral("files"), files);
        result.insert(QStringLiteral("findings"), findings);
    }
    if (hasMore)
        result.insert(QStringLiteral("next"), placeJson(from));
    if (isFirst && hasMore)
        result.insert(QStringLiteral("truncated"), true);
    return result;
}

std::shared_ptr<const Frozen> Snapshots::freeze(const Tape &tape)
{
    m_kept.remove_if([](const auto &kept) { return kept.expired(); });
    for (const auto &kept : m_kept) {
        if (const auto frozen = kept.lock(); frozen && frozen->seq == tape.last())
            return frozen; // nothing has happened since
    }
    return std::make_shared<const Frozen>(frozenOf(tape));
}

bool Snapshots::keep(const std::shared_ptr<const Frozen> &frozen)
{
    const auto isIt = [&](const auto &kept) { return kept.lock() == frozen; };
    if (std::any_of(m_kept.begin(), m_kept.end(), isIt))
        return true;
    if (m_kept.size() >= mostKept)
        return false;
    m_kept.push_back(frozen);
    return true;
}

} // namespace firstwatch::stream
