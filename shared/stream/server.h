// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/nodeview.h"
#include "stream/counters.h"
#include "stream/limits.h"

#include <QJsonObject>
#include <QList>
#include <QObject>

#include <memory>
#include <optional>
#include <sys/types.h>

namespace firstwatch::stream {

struct ServerOptions {
    QByteArray socketPath; // of the UNIX socket, in a directory of mode 0700; empty: none
    std::optional<gid_t> socketGroup; // who may connect there besides root and our own user
    quint16 tcpPort = 0; // on 127.0.0.1 and ::1; 0: none
    QByteArray tcpKey; // of the challenge; empty: no challenge, refused in the host's network namespace
    bool needsKey = false; // without one the port stays closed until setKey(); who reads the key says why
    bool inHostNetwork = false;
    QString node;
    QString version;
    QJsonObject config; // effective settings with their origins, already redacted
    Limits limits;
};

// Serves a node's journal, read-only. Lives in a thread of its own and never blocks; it keeps its own ring and its own
// fold of the events that it is handed, so that it shares nothing with the thread that patches.
class Server final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Server)
public:
    explicit Server(ServerOptions options, QObject *parent = nullptr);
    ~Server() override;

    // In the thread that it lives in. What can listen, listens; the rest is a problem().
    void start();
    // In order of seq, of one boot; also before start(), so that the first client finds all.
    void append(const firstwatch::journal::Event &event, const QByteArray &line);
    // What the patch with this seq has changed: the file's whole text before and after, which is redacted here. After
    // its event.
    void appendTexts(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after);
    // For whoever connects from now on; who is there stays. Not empty. Opens a port that waited for it.
    void setKey(const QByteArray &key);
    // "bye" to every client, and closed without a reset; stopped() comes when that is done.
    void stop();

    // In that thread as well, for others that live there.
    [[nodiscard]] const journal::NodeView &view() const;
    [[nodiscard]] const Counters &counters() const;

Q_SIGNALS:
    void stopped();
    void problem(int code, const QString &text); // of journal/findingcodes.h

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace firstwatch::stream
