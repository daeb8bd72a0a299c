// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/nodeview.h"
#include "stream/connection.h"
#include "stream/endpoint.h"
#include "stream/linesplitter.h"
#include "stream/protocol.h"

#include <QJsonArray>
#include <QMap>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace firstwatch::stream {

// Who answers at the other end, as its hello says.
struct ServerInfo {
    QString node;
    QString version;
    QByteArray boot;
    int major = 0;
    int minor = 0;
};

// Follows one node: connects, resumes by (boot, seq) after every break, finds gaps itself, and keeps what it knew last.
// Never blocks. All that comes from the other end is taken with care: a wrong or hostile server costs its own link
// only.
class Client final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Client)
public:
    enum class Link {
        Connecting,
        Live, // has a view, and events come
        Lost, // will be tried again after retryInMs()
        Refused, // by version or key: trying again does not help, and it is not tried
    };
    struct Options {
        QString name; // of this client, "firstwatch/0.1.0 cli"
        QByteArray key; // of the TCP challenge, empty: none
        QString node; // that must answer, empty: any
        bool follow = true; // false: a view and the events up to it, then done()
        quint64 since = 0; // at the first contact: events after this seq; 0: all that the node still has
        int firstRetryMs = 500; // doubles up to longestRetryMs, give or take a quarter
        int longestRetryMs = 30'000;
        int silenceMs = 45'000; // without a word the link is lost: a port-forward that goes silent gives no error
    };

    // Makes a connection for each try, so that a try may also find out anew where the node is.
    using Dial = std::function<std::unique_ptr<Connection>()>;
    Client(Dial dial, Options options, QObject *parent = nullptr);
    Client(const Endpoint &endpoint, const Options &options, QObject *parent = nullptr);
    ~Client() override;

    void start();

    [[nodiscard]] Link link() const { return m_link; }
    [[nodiscard]] const QString &trouble() const { return m_trouble; } // why it is Lost or Refused, in words
    [[nodiscard]] int troubleCode() const; // and as a finding (journal/findingcodes.h)
    [[nodiscard]] int retryInMs() const { return m_retry.remainingTime(); } // -1: no try is planned
    [[nodiscard]] const ServerInfo &server() const { return m_server; }
    // As far as events have come; kept when the link is lost.
    [[nodiscard]] const journal::NodeView &view() const { return m_view; }
    // The view lacks some of the node's files or findings: the node tells only the first of thousands (before protocol
    // 1.1), or there are more than can be taken.
    [[nodiscard]] bool isShortened() const { return m_isShortened; }

    using Answer = std::function<void(const Response &)>;
    // Another read of the node ("config", "counters", "events", …). The answer is an error when the link is not live,
    // and when it breaks before the answer.
    void call(const QString &method, const QJsonObject &params, const Answer &answer);

Q_SIGNALS:
    void linkChanged(firstwatch::stream::Client::Link link);
    // The view was replaced by the node's own: at the first contact, in another boot, and after a gap.
    void snapshot(const firstwatch::journal::NodeView &view);
    // In order, each once; `line` is the event's own JSON, with everything a newer node may have put into it.
    void happened(const firstwatch::journal::Event &event, const QByteArray &line);
    // Events from…to (seq, both included) will never come.
    void gap(quint64 from, quint64 to, const QString &why);
    // Without follow: all has come, or nothing will, as link() says. Once.
    void done();

private:
    void open();
    void readAll();
    void take(const QByteArray &line);
    void take(const Notification &notification);
    void takeHello(const QJsonObject &params);
    void sayHello(const QJsonObject &params);
    void takeWelcome(const Response &response, const QByteArray &expectedCode);
    void requestSnapshot(void (Client::*then)());
    void takeSnapshot(const Response &response);
    void takePart(const QJsonObject &result, const QJsonValue &lists);
    void takeRest(const Response &response, const QJsonObject &next);
    void requestRest(const QJsonObject &next);
    void finishSnapshot();
    void subscribe();
    void takeEvent(const QJsonObject &params);
    void takeGap(const QJsonObject &params);
    void takePing(const QJsonObject &params);
    void skip(quint64 from, quint64 to, const QString &why);
    void finishWhenComplete();
    void send(const QString &method, const QJsonObject &params, const Answer &answer);
    void lose(const QString &why, int code = 0);
    void refuse(const QString &why);
    void silence();
    void drop();
    void setLink(Link link, const QString &trouble);

    const Dial m_dial;
    const Options m_options;
    std::unique_ptr<Connection> m_connection;
    LineSplitter m_lines;
    QTimer m_retry;
    QTimer m_silence;
    int m_retryMs;
    qint64 m_nextId = 0;
    QMap<qint64, Answer> m_answers;
    Link m_link = Link::Connecting;
    QString m_trouble;
    int m_lostCode = 0; // of the last break, where the connection knew more than that
    ServerInfo m_server;
    journal::NodeView m_view;
    bool m_isGreeted = false;
    bool m_hasView = false;
    bool m_hasHole = false; // the view misses events that will never come, and its replacement has not come
    bool m_isShortened = false;
    // A snapshot that has come in part. What happens meanwhile is put upon it when it is whole.
    struct Fetch {
        void (Client::*then)() = nullptr;
        QJsonObject view;
        QJsonArray files;
        QJsonArray findings;
        QList<journal::Event> meanwhile;
        int parts = 0;
        bool isShortened = false;
    };
    std::optional<Fetch> m_fetch;
    quint64 m_fetchNumber = 0; // answers to an earlier one are let go
    int m_startedAnew = 0; // snapshots whose rest the node had dropped
    bool m_isDone = false;
    quint64 m_lastSeq = 0; // events up to here were handed on, or are known to be lost
    quint64 m_promisedSeq = 0; // of the last ping
};

} // namespace firstwatch::stream
