// SPDX-License-Identifier: Apache-2.0
#include "ui/session/livenode.h"

#include "journal/clock.h"
#include "journal/shownname.h"

#include <QFile>

#include <algorithm>

namespace firstwatch::ui {
namespace {

constexpr qsizetype longestKey = 1024;

// CLOCK_BOOTTIME of the node: this machine's own on its socket.
qint64 nowNs(const stream::Endpoint &endpoint, const journal::NodeView &view)
{
    if (endpoint.kind == stream::Endpoint::Kind::Local)
        return journal::bootNowNs();
    return remoteNowNs(view);
}

} // namespace

qint64 remoteNowNs(const journal::NodeView &view)
{
    return view.tNs + std::max<qint64>(journal::wallNowUs() - view.wallUs, 0) * 1000;
}

std::optional<QByteArray> keyFromFile(const QByteArray &path, QString &error)
{
    QFile file(QFile::decodeName(path));
    if (!file.open(QIODevice::ReadOnly)) {
        error = QStringLiteral("the key file %1 cannot be read: %2").arg(journal::shownName(path), file.errorString());
        return std::nullopt;
    }
    QByteArray key = file.read(longestKey);
    if (key.endsWith('\n')) // as the service reads its own
        key.chop(1);
    return key;
}

Node liveNode(const stream::Endpoint &endpoint, const stream::Client &client)
{
    Node node;
    node.source = journal::shownText(endpoint.shown());
    node.isLive = true;
    node.view = client.view();
    node.isShortened = client.isShortened();
    node.nowNs = nowNs(endpoint, client.view());
    node.nowUs = journal::wallNowUs();
    if (node.view.process.node.isEmpty()) // its start is not among the events that it still has
        node.view.process.node = client.server().node;
    return node;
}

} // namespace firstwatch::ui
