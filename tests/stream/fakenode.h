// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/nodeview.h"
#include "stream/endpoint.h"
#include "stream/linesplitter.h"
#include "stream/protocol.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QPointer>
#include <QTemporaryDir>

namespace firstwatch::test {

[[nodiscard]] journal::Event someEvent(quint64 seq, const QByteArray &boot = "aaaaaaaaaaaaaaaa");

// The other end of a client, which does as a test tells it. Says hello and answers as a node with `events` would, until
// it is told otherwise.
class FakeNode final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FakeNode)
public:
    FakeNode();

    QByteArray boot = "aaaaaaaaaaaaaaaa";
    QJsonObject hello; // over the usual one
    QList<journal::Event> events;
    bool isSilent = false; // takes connections and says nothing
    bool answersRequests = true;
    QJsonObject snapshotAlso; // in the result of a snapshot
    QJsonObject welcome; // the result of a client's hello

    void addEvents(quint64 from, quint64 to);
    void say(const QByteArray &bytes); // to the client that came last
    void sayEvent(quint64 seq) { say(stream::eventLine(journal::toLine(someEvent(seq, boot)))); }
    void hangUp();
    [[nodiscard]] stream::Endpoint endpoint() const;
    [[nodiscard]] int connections() const { return m_connections; }
    [[nodiscard]] QList<stream::Request> requests(const QString &method) const;
    [[nodiscard]] QList<stream::Notification> notifications(const QString &method) const;

private:
    void accept();
    void readAll(QLocalSocket &socket, stream::LineSplitter &lines);
    void answer(QLocalSocket &socket, const stream::Request &request) const;

    QTemporaryDir m_directory;
    QLocalServer m_server;
    QPointer<QLocalSocket> m_socket; // the last
    int m_connections = 0;
    QList<stream::Request> m_requests;
    QList<stream::Notification> m_notifications;
};

} // namespace firstwatch::test
