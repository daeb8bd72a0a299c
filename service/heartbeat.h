// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QObject>
#include <QTimer>

namespace firstwatch::service {

// Touches "alive" in the runtime dir from the event loop, and says so: its age tells a probe whether the loop still
// turns.
class Heartbeat final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Heartbeat)
public:
    static constexpr int periodMs = 30'000;
    static constexpr int longestSilenceMs = 4 * periodMs; // then the loop hangs

    explicit Heartbeat(const QByteArray &runtimeDir, QObject *parent = nullptr);
    ~Heartbeat() override; // removes the file: a clean end is not a hang

    [[nodiscard]] static QByteArray fileIn(const QByteArray &runtimeDir) { return runtimeDir + "/alive"; }

Q_SIGNALS:
    void beaten();

private:
    void beat();

    QByteArray m_file;
    QTimer m_timer;
};

} // namespace firstwatch::service
