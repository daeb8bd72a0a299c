// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/client.h"
#include "stream/diffrequest.h"
#include "ui/text/node.h"

#include <QObject>
#include <QTimer>

namespace firstwatch::ui {

// The node that a window shows: one that is followed, or a recording of one. What is known is kept when the link is
// lost, and ages.
class Session final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Session)
public:
    enum class Link { Recorded, Connecting, Live, Lost, Refused };

    // Of a recording, which is read at once.
    explicit Session(const QByteArray &path, QObject *parent = nullptr);
    // Of a node; connects at start().
    Session(const stream::Endpoint &endpoint, const stream::Client::Options &options, QObject *parent = nullptr);
    ~Session() override;
    void start();

    [[nodiscard]] Link link() const;
    // As of this moment. A live node whose link is lost keeps its last word, and isLive.
    [[nodiscard]] const Node &node() const { return m_node; }
    [[nodiscard]] QString trouble() const; // why the link is Lost or Refused, in words
    [[nodiscard]] int retryInMs() const; // -1: no try is planned
    [[nodiscard]] qint64 lastHeardUs() const { return m_lastHeardUs; } // wall time; 0: never
    // Another run of a recording; the last one of a live node is always shown.
    void showRun(const QByteArray &boot);
    // What this patch of the run that is followed has changed becomes part of the node, or why it is not known. One
    // after the other; of a recording, and while the link is lost, nothing.
    void askForDiff(const QByteArray &boot, quint64 seq);

Q_SIGNALS:
    // Anything of the above, put together for a tenth of a second, and once a second since ages grow.
    void changed();

private:
    void take(const journal::Event &event);
    void takeDiffs();
    void refresh();
    void soon();

    Node m_node;
    stream::Endpoint m_endpoint;
    std::unique_ptr<stream::Client> m_client; // none: a recording
    std::unique_ptr<stream::DiffRequest> m_diffs; // under way
    QList<quint64> m_wantedDiffs; // after it
    QTimer m_soon;
    QTimer m_age;
    qint64 m_lastHeardUs = 0;
};

} // namespace firstwatch::ui
