// SPDX-License-Identifier: Apache-2.0
#include "stream/diffrequest.h"

#include "journal/shownname.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace firstwatch::stream {
namespace {

constexpr qsizetype atATime = 16; // a port-forward takes its time for each round
constexpr int longestRestMs = 5000; // whatever the node says

} // namespace

DiffRequest::DiffRequest(Client &client, QList<quint64> seqs, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_waiting(std::move(seqs))
{
}

void DiffRequest::start()
{
    QTimer::singleShot(0, this, &DiffRequest::askMore);
}

void DiffRequest::askMore()
{
    while (!m_isDone && !m_waiting.isEmpty() && m_open.size() < atATime) {
        const quint64 seq = m_waiting.takeFirst();
        m_open.insert(seq, {});
        ask(seq, 0);
    }
    conclude();
}

// The client may outlive this, and answers then.
void DiffRequest::ask(quint64 seq, qsizetype offset)
{
    if (m_isDone)
        return;
    const QJsonObject params{ { QStringLiteral("boot"), QString::fromUtf8(m_client.server().boot) },
        { QStringLiteral("seq"), qint64(seq) }, { QStringLiteral("offset"), offset } };
    m_client.call(QStringLiteral("diff"), params, [self = QPointer(this), seq, offset](const Response &response) {
        if (self && !self->m_isDone)
            self->take(seq, offset, response);
    });
}

void DiffRequest::take(quint64 seq, qsizetype offset, const Response &response)
{
    if (!response.error)
        return takePage(seq, response.result);
    switch (*response.error) {
    case ErrorCode::Rate: {
        const int restMs = std::clamp(response.data[QLatin1String("retry_ms")].toInt(), 1, longestRestMs);
        QTimer::singleShot(restMs, this, [this, seq, offset] { ask(seq, offset); });
        return;
    }
    case ErrorCode::NotKept: // one that is too old; others may be there
        m_trouble = journal::shownText(response.message);
        m_open.remove(seq);
        return askMore();
    case ErrorCode::MethodNotFound:
        return giveUp(QStringLiteral("the node's version does not tell what a patch has changed"));
    default:
        return giveUp(journal::shownText(response.message));
    }
}

void DiffRequest::takePage(quint64 seq, const QJsonObject &page)
{
    DiffReader &reader = m_open[seq];
    const bool isRight = quint64(page[QLatin1String("seq")].toInteger()) == seq;
    switch (isRight ? reader.take(page) : DiffReader::Took::Nothing) {
    case DiffReader::Took::Nothing:
        return giveUp(QStringLiteral("the node told something else than what was asked for"));
    case DiffReader::Took::Piece:
        return ask(seq, reader.diff().size());
    case DiffReader::Took::Last:
        m_diffs.append(m_open.take(seq).diff());
        return askMore();
    }
}

void DiffRequest::conclude()
{
    if (m_isDone || !m_waiting.isEmpty() || !m_open.isEmpty())
        return;
    m_isDone = true;
    Q_EMIT done();
}

void DiffRequest::giveUp(const QString &why)
{
    m_trouble = why;
    m_waiting.clear();
    m_open.clear();
    conclude();
}

} // namespace firstwatch::stream
