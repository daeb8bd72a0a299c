// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/recording.h"

#include "app/firstwatch/options.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"

namespace firstwatch::cli {
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

ui::Node readRecording(const QByteArray &path, const QByteArray &boot)
{
    stream::Capture capture = stream::readCapture(path);
    ui::Node node;
    node.source = Source{ path }.shown();
    node.trouble = troubleOf(capture);
    node.events = std::move(capture.events);
    node.diffs = std::move(capture.diffs);
    node.torn = capture.torn;
    node.damage = capture.trouble;
    node.isCut = capture.isCut;
    if (capture.manifest)
        node.gaps = capture.manifest->gaps;
    const bool isShown = ui::showRun(node, boot);
    if (node.isReached() && !isShown && !boot.isEmpty())
        node.trouble = QStringLiteral("it holds no run, or more than one, whose name begins with '%1'")
                           .arg(journal::shownName(boot));
    node.troubleCode = node.isReached() ? 0 : journal::code::badCapture;
    return node;
}

} // namespace firstwatch::cli
