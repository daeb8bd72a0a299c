// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace firstwatch::service {

// Tells the outside whether the node is ready: a file that is there only while it is, and systemd's notify socket. The
// file speaks of the service that works: one that waits behind another leaves it alone.
class Readiness {
public:
    // `readyFile` an absolute path. `notifySocket` is the value of NOTIFY_SOCKET, a path or "@" and an abstract name
    // (sd_notify(3)); empty: nobody asks.
    Readiness(QByteArray readyFile, QByteArray notifySocket);

    // From now on the file speaks of this service; one that a killed run left is removed at once.
    void takeOverFile();

    // Cheap when nothing changed; what could not be told before is tried again.
    void set(bool ready, const QString &status);
    // From now on the service undoes its work: not ready any more.
    void stopping(const QString &status);
    [[nodiscard]] bool isReady() const { return m_ready; }
    // Why the ready file could not be written; empty when all is well.
    [[nodiscard]] QString error() const { return m_error; }

private:
    void updateFile();
    void notify(const QByteArray &state);

    QByteArray m_file;
    QByteArray m_socket;
    QString m_error;
    QByteArray m_told;
    bool m_ready = false;
    bool m_fileIsOurs = false;
    bool m_fileIsThere = true; // until it has been removed
};

} // namespace firstwatch::service
