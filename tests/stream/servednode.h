// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/server.h"

#include <QTemporaryDir>
#include <QThread>

#include <functional>

#include <memory>

namespace firstwatch::test {

// A server in a thread of its own, as in the service, with events made up for it.
class ServedNode {
    QTemporaryDir m_root;

public:
    // Fills in what is left empty: the socket, in a temporary directory; node and version.
    explicit ServedNode(stream::ServerOptions options = {});
    ~ServedNode();

    [[nodiscard]] const stream::ServerOptions &options() const { return m_options; }
    [[nodiscard]] const QByteArray &path() const { return m_options.socketPath; }
    [[nodiscard]] const QStringList &problems() const { return m_problems; } // of the start
    [[nodiscard]] const QByteArray &boot() const { return m_boot; }

    quint64 record(journal::Kind kind, const QJsonObject &fields); // its seq
    // That many events, each of about `bytes`, and waits until the server has them. Gives back the last seq.
    quint64 happen(int count = 1, int bytes = 200);
    // That many files, "NAME-7.conflist", in one event each. The last seq.
    quint64 fill(int files, const QString &name = QStringLiteral("10-a"));
    void stop(); // waits until all clients are gone
    // Runs in the server's thread, and waits for it.
    void inThread(const std::function<void(stream::Server &)> &work);

private:
    void append(stream::Server &server, journal::Kind kind, const QJsonObject &fields);

    stream::ServerOptions m_options;
    QByteArray m_boot = "00112233445566aa";
    quint64 m_seq = 0;
    QStringList m_problems;
    QThread m_thread;
    std::unique_ptr<stream::Server> m_server;
};

// A TCP port that nobody listens on.
[[nodiscard]] quint16 freePort();

} // namespace firstwatch::test
