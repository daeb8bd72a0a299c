// SPDX-License-Identifier: Apache-2.0
#include "ui/session/recording.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"

#include <QFile>

namespace firstwatch::ui {
namespace {

// Why nothing can be shown of it; empty when something can.
QString troubleOf(const stream::Capture &capture)
{
    if (!capture.events.isEmpty())
        return {};
    if (!capture.trouble.isEmpty())
        return capture.trouble;
    return capture.torn == 0 ? QString()
                             : QStringLiteral("none of its %1 lines is an event of Firstwatch").arg(capture.torn);
}

} // namespace

Node readRecording(const QByteArray &path, const QByteArray &boot)
{
    stream::Capture capture = stream::readCapture(path);
    Node node;
    node.source = path == "-" ? QStringLiteral("standard input") : journal::shownName(path);
    node.trouble = troubleOf(capture);
    node.events = std::move(capture.events);
    node.diffs = std::move(capture.diffs);
    node.torn = capture.torn;
    node.damage = capture.trouble;
    node.isCut = capture.isCut;
    if (capture.manifest)
        node.gaps = capture.manifest->gaps;
    const bool isShown = showRun(node, boot);
    if (node.isReached() && !isShown && !boot.isEmpty())
        node.trouble = QStringLiteral("it holds no run, or more than one, whose name begins with '%1'")
                           .arg(journal::shownName(boot));
    node.troubleCode = node.isReached() ? 0 : journal::code::badCapture;
    return node;
}

QList<journal::Event> embeddedRun(const char *name)
{
    QFile file(QStringLiteral(":/firstwatch/data/") + QLatin1String(name));
    QList<journal::Event> events;
    if (file.open(QIODevice::ReadOnly)) {
        while (!file.atEnd()) {
            if (const std::optional<journal::Event> event = stream::capturedEvent(file.readLine()))
                events.append(*event);
        }
    }
    return events;
}

} // namespace firstwatch::ui
