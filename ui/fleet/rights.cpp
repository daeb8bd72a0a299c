// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/rights.h"

#include "journal/shownname.h"

#include <QRegularExpression>

namespace firstwatch::fleet {

QStringList Right::question() const
{
    return { QStringLiteral("auth"), QStringLiteral("can-i"), verb, resource };
}

Right rightOf(Carrier carrier)
{
    return { QStringLiteral("create"),
        carrier == Carrier::Exec ? QStringLiteral("pods/exec") : QStringLiteral("pods/portforward") };
}

Right missingRight(const QByteArray &words)
{
    static const QRegularExpression pattern(QStringLiteral(R"x(cannot ([a-z]{1,32}) resource "([a-z./-]{1,64})")x"));
    const QRegularExpressionMatch match = pattern.match(QString::fromUtf8(words));
    if (!match.hasMatch())
        return { QStringLiteral("list"), QStringLiteral("pods") };
    return { match.captured(1), match.captured(2) };
}

QString askCommand(const Cluster &cluster, const Right &right)
{
    QStringList words{ QStringLiteral("kubectl") };
    words += right.question();
    if (!cluster.nameSpace.isEmpty())
        words << QStringLiteral("-n") << cluster.nameSpace;
    if (!cluster.context.isEmpty())
        words << QStringLiteral("--context") << cluster.context;
    return journal::shownText(words.join(u' '));
}

} // namespace firstwatch::fleet
