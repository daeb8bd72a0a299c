// SPDX-License-Identifier: Apache-2.0
// What the program says of itself: version and help.
#include "app/firstwatch/help.h"

#include "stream/protocol.h"
#include "ui/text/json.h"

#include <QtGlobal>

namespace firstwatch::cli {

int runVersion(Call &call)
{
    const QString protocol = QStringLiteral("%1.%2").arg(stream::protocolMajor).arg(stream::protocolMinor);
    if (isDocument(call.options)) {
        const QJsonObject version{ { QStringLiteral("client"), QStringLiteral(FIRSTWATCH_VERSION) },
            { QStringLiteral("protocol"), protocol }, { QStringLiteral("qt"), QString::fromLatin1(qVersion()) } };
        sayDocument(call, ui::document(QStringLiteral("version"), version));
    } else {
        call.out.lines(QStringLiteral("firstwatch %1 (protocol %2, Qt %3)\n")
                           .arg(QLatin1String(FIRSTWATCH_VERSION), protocol, QLatin1String(qVersion())));
    }
    return exitcode::nothing;
}

int runHelp(Call &call)
{
    if (call.options.arguments.isEmpty()) {
        call.out.lines(overview(call.program));
        return exitcode::nothing;
    }
    const QString &name = call.options.arguments.first();
    if (const Verb *verb = verbNamed(name)) {
        call.out.lines(verbHelp(*verb, call.program));
        return exitcode::nothing;
    }
    const QString nearest = nearestVerb(name);
    call.out.error(QStringLiteral("'%1' is no verb.%2")
                       .arg(name, nearest.isEmpty() ? QString() : QStringLiteral(" Did you mean '%1'?").arg(nearest)));
    return exitcode::usage;
}

} // namespace firstwatch::cli
