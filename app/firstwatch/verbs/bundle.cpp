// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/sources.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "ui/text/units.h"

#include <unistd.h>

namespace firstwatch::cli {
namespace {

stream::Manifest manifestOf(const ui::Node &node)
{
    return { node.name(), QStringLiteral("firstwatch/" FIRSTWATCH_VERSION), journal::wallNowUs(), node.gaps };
}

} // namespace

int runBundle(Call &call)
{
    const QByteArray path = call.options.output.toUtf8();
    if (path.isEmpty() || (path == "-" && call.out.isTerminal())) {
        call.out.error(QStringLiteral("bundle needs the name of the file to make: -o NODE.fwz"));
        return exitcode::usage;
    }
    call.options.wantsDiffs = true;
    const ui::Node node = collectOne(call);
    if (!node.isReached())
        return exitcode::notCollected;
    QString error;
    if (!stream::writeCapture(path, manifestOf(node), node.events, node.diffs, error)) {
        sayTrouble(call.out, journal::code::captureNotWritten, journal::shownName(path) + QStringLiteral(": ") + error);
        return exitcode::notCollected;
    }
    call.out.verdict(
        QStringLiteral("%1: %2 of %3.")
            .arg(journal::shownName(path), ui::countText(node.events.size(), QStringLiteral("event")), node.name()));
    return exitcode::nothing;
}

} // namespace firstwatch::cli
