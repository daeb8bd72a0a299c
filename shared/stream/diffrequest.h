// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/client.h"
#include "stream/diff.h"

#include <QObject>

namespace firstwatch::stream {

// Asks a node what patches have changed: several at a time, piece by piece, and not faster than the node allows. Give
// the client a longer life than this.
class DiffRequest final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DiffRequest)
public:
    // `seqs` of patch.applied events of the run that the client follows.
    DiffRequest(Client &client, QList<quint64> seqs, QObject *parent = nullptr);

    // done() comes, and never from within.
    void start();
    [[nodiscard]] const QList<Diff> &diffs() const { return m_diffs; } // in the order in which they came
    // Why some are missing, in words; empty when none is.
    [[nodiscard]] const QString &trouble() const { return m_trouble; }

Q_SIGNALS:
    void done(); // once

private:
    void askMore();
    void ask(quint64 seq, qsizetype offset);
    void take(quint64 seq, qsizetype offset, const Response &response);
    void takePage(quint64 seq, const QJsonObject &page);
    void conclude();
    void giveUp(const QString &why);

    Client &m_client;
    QList<quint64> m_waiting;
    QMap<quint64, DiffReader> m_open; // asked for
    QList<Diff> m_diffs;
    QString m_trouble;
    bool m_isDone = false;
};

} // namespace firstwatch::stream
