// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "eventually.h"
#include "sys/filedescriptor.h"

#include <QByteArrayList>
#include <QJsonObject>
#include <QList>

#include <optional>

namespace firstwatch::test {

// A client on a plain socket, which can be as rude as it likes. Waits in poll(2), so the server runs in another thread
// or process.
class RawClient {
public:
    enum class End { None, Regular, Reset }; // how the server ended the connection

    explicit RawClient(const QByteArray &socketPath);
    explicit RawClient(quint16 loopbackPort);
    RawClient(const QByteArray &address, quint16 port); // "::1", "10.0.0.1"

    [[nodiscard]] bool isConnected() const { return m_socket.isValid(); }
    [[nodiscard]] int fd() const { return m_socket.get(); }
    // As much as goes out within the patience of the test; false when the server takes no more.
    bool send(const QByteArray &bytes);
    void stopSending(); // a half-close
    void close() { m_socket.reset(); }

    // The next frame; nothing at the end, or when none came.
    std::optional<QJsonObject> next(int ms = patienceMs);
    // The next with that method, or the answer to that id. Those before it are in passed().
    QJsonObject waitFor(const QString &method, int ms = patienceMs);
    QJsonObject waitForAnswer(int id, int ms = patienceMs);
    [[nodiscard]] const QList<QJsonObject> &passed() const { return m_passed; }

    QJsonObject hello(); // the server's; says ours, and takes its answer
    QJsonObject authorise(const QByteArray &key); // answers the server's challenge; gives back the whole answer to it
    // Asks, and gives back the whole answer.
    QJsonObject call(const QString &method, const QJsonObject &params = {});
    // Reads to the end of the connection.
    End waitForEnd(int ms = patienceMs);
    [[nodiscard]] End end() const { return m_end; }
    [[nodiscard]] qint64 bytes() const { return m_bytes; } // received so far

private:
    bool read(int ms);
    template <typename Wanted> QJsonObject waitUntil(Wanted wanted, int ms);

    sys::FileDescriptor m_socket;
    QByteArray m_received;
    QList<QJsonObject> m_passed;
    End m_end = End::None;
    qint64 m_bytes = 0;
    int m_lastId = 0;
};

[[nodiscard]] QByteArray requestOf(int id, const QString &method, const QJsonObject &params = {});
// The seq of each event among the frames.
[[nodiscard]] QList<qint64> seqsOf(const QList<QJsonObject> &frames);

} // namespace firstwatch::test
