// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace firstwatch::service {

// How long `--once` waits for what it cannot begin without: an init container that waits holds up its whole pod. Says
// again and again in the log what that is, and tells when the time is over.
class OnceLimit final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OnceLimit)
public:
    static constexpr int exitCode = 3;
    static constexpr int repeatMs = 10'000;

    // `awaited` names it at that moment, to follow "waits for". `limitS` in seconds; 0: for ever.
    OnceLimit(int limitS, std::function<QString()> awaited, journal::Journal &journal, int everyMs = repeatMs);
    void start();
    void stop(); // it has begun

Q_SIGNALS:
    void passed(const QString &summary); // of the run that ends now

private:
    void say();

    int m_limitS;
    std::function<QString()> m_awaited;
    journal::Journal &m_journal;
    QTimer m_repeat;
    QTimer m_limit;
    qint64 m_sinceNs = 0;
};

} // namespace firstwatch::service
