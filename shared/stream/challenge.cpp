// SPDX-License-Identifier: Apache-2.0
#include "stream/challenge.h"

#include "stream/protocol.h"

#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace firstwatch::stream {
namespace {

QByteArray newNonce()
{
    quint32 words[4];
    QRandomGenerator::system()->fillRange(words);
    const void *const raw = words;
    return QByteArray(static_cast<const char *>(raw), sizeof words).toHex();
}

// Looks at every byte, wherever the first difference is.
bool isEqual(const QByteArray &first, const QByteArray &second)
{
    if (first.size() != second.size())
        return false;
    int difference = 0;
    for (qsizetype i = 0; i < first.size(); ++i)
        difference |= first.at(i) ^ second.at(i);
    return difference == 0;
}

} // namespace

Challenge::Challenge(QByteArray key, QByteArray node)
    : m_key(std::move(key))
    , m_node(std::move(node))
    , m_nonce(newNonce())
{
}

std::optional<QByteArray> Challenge::check(const QJsonObject &params, const QByteArray &boot)
{
    const QByteArray nonce = std::exchange(m_nonce, {});
    const QByteArray theirs = params.value(u"cnonce").toString().toLatin1();
    const QByteArray code = params.value(u"mac").toString().toLatin1();
    const bool isRight = isEqual(code, challengeCode(m_key, nonce, theirs, boot, m_node));
    if (!isRight || nonce.isEmpty())
        return {};
    return challengeCode(m_key, theirs, nonce, boot, m_node);
}

FailureGate::FailureGate(const Limits &limits)
    : m_failures(limits.failures)
    , m_windowNs(qint64(limits.failureWindowMs) * 1'000'000)
{
}

void FailureGate::fail(qint64 nowNs)
{
    m_failedNs.append(nowNs);
    m_failedNs.removeIf([&](qint64 failedNs) { return nowNs - failedNs > m_windowNs; });
    if (m_failedNs.size() < m_failures)
        return;
    m_closedUntilNs = nowNs + m_windowNs;
    m_failedNs.clear();
}

} // namespace firstwatch::stream
