// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/cursor.h"
#include "stream/desk.h"
#include "stream/linesplitter.h"
#include "stream/protocol.h"
#include "stream/tokenbucket.h"
#include "stream/wire.h"

#include <QTimer>

namespace firstwatch::stream {

// One client: greets it, takes its hello, answers it one request at a time, and hands on events to it while it takes
// them. Nothing is made for it before what was made for it earlier is on its way, so that one that does not read
// costs one answer or one helping of events, and no more.
class Session final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Session)
public:
    enum class Proof { Peer, Challenge, None }; // how a client shows that it may read

    Session(sys::FileDescriptor socket, Desk &desk, Proof proof);

    // Greets it. Not in the constructor, so that finished() is heard when it has gone already.
    void start();
    [[nodiscard]] bool hasSaidHello() const { return m_greeted; }
    void noteEvicted(const QList<Tape::Evicted> &events);
    // The texts of another patch have come.
    void noteTexts();
    // Hands on what is new on the tape, when it can.
    void pump();
    // Says "bye" and why; finished() follows.
    void close(const QString &why);
    [[nodiscard]] Wire::Released release() { return m_wire.release(); }

Q_SIGNALS:
    void greeted(); // its hello was taken
    void finished(); // once; nothing more comes of it but release()

private:
    void received(const QByteArray &bytes);
    void serve();
    [[nodiscard]] bool mayTake() const;
    void take(const QByteArray &line);
    void takeMalformed(const Malformed &malformed);
    void takeRequest(const Request &request);
    void takeHello(const Request &request);
    void acceptHello(const Request &request, const QJsonObject &proof);
    void failChallenge(qint64 id);
    [[nodiscard]] QByteArray subscribe(const Request &request);
    [[nodiscard]] QByteArray unsubscribe(const Request &request);
    [[nodiscard]] QByteArray snapshot(const Request &request);
    [[nodiscard]] QByteArray restOfSnapshot(const Request &request);
    void takeDiff(const Request &request);
    void answerDiff();
    void limit(const Request &request);
    void tick();
    void moved();
    void send(const QByteArray &bytes);
    void finish();

    Desk &m_desk;
    const Proof m_proof;
    std::optional<Challenge> m_challenge;
    Wire m_wire;
    LineSplitter m_lines;
    TokenBucket m_requests;
    std::optional<Cursor> m_cursor; // while it is subscribed
    std::shared_ptr<const Frozen> m_frozen; // of which it has got a part
    std::optional<Request> m_diff; // not answered yet: what that patch changed is about to come
    bool m_greeted = false;
    bool m_hasSpoken = false;
    bool m_hasFailed = false; // the challenge
    bool m_ended = false; // it says nothing more
    bool m_finished = false;
    int m_unanswered = 0; // pings
    QTimer m_deadline; // of its hello
    QTimer m_pause; // nothing is taken from it meanwhile
    QTimer m_ping;
    QTimer m_stall;
    QTimer m_thaw; // of m_frozen
    QTimer m_late; // for m_diff
};

} // namespace firstwatch::stream
