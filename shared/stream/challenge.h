// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/limits.h"

#include <QByteArray>
#include <QJsonObject>
#include <QList>

#include <optional>

namespace firstwatch::stream {

// The server's side of the challenge of one connection. Its nonce is good for one answer.
class Challenge {
public:
    Challenge(QByteArray key, QByteArray node);

    [[nodiscard]] const QByteArray &nonce() const { return m_nonce; }
    // `params` of the client's hello: "cnonce" and "mac". Right: the code by which the server proves itself in turn.
    // Wrong in any way: nothing. All wrong ones take the same time.
    [[nodiscard]] std::optional<QByteArray> check(const QJsonObject &params, const QByteArray &boot);

private:
    QByteArray m_key;
    QByteArray m_node;
    QByteArray m_nonce; // empty once it was used
};

// Counts failed challenges over all connections, as behind a port-forward all come from one address.
class FailureGate {
public:
    explicit FailureGate(const Limits &limits);
    void fail(qint64 nowNs);
    [[nodiscard]] bool isClosed(qint64 nowNs) const { return nowNs < m_closedUntilNs; }

private:
    int m_failures;
    qint64 m_windowNs;
    QList<qint64> m_failedNs; // within the window, oldest first
    qint64 m_closedUntilNs = 0;
};

} // namespace firstwatch::stream
