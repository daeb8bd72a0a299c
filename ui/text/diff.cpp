// SPDX-License-Identifier: Apache-2.0
#include "ui/text/diff.h"

#include <QStringList>

namespace firstwatch::ui {
namespace {

// A line of a config may look like one of the head: only the place tells.
Role roleOf(const QString &line, bool isHead)
{
    if (isHead)
        return Role::Strong;
    if (line.startsWith(QLatin1String("@@")) || line.startsWith(u'\\'))
        return Role::Muted;
    return line.startsWith(u'+') ? Role::Good : line.startsWith(u'-') ? Role::Error : Role::Plain;
}

QString lineText(const Look &look, QString line, Role role)
{
    const QString end = line.endsWith(u'\r') ? QStringLiteral("\r\n") : QStringLiteral("\n");
    line.chop(end.size() - 1);
    QStringList parts = line.split(u'\t');
    for (QString &part : parts)
        part = shown(look, part);
    return painted(look, role, parts.join(u'\t')) + end;
}

} // namespace

QString diffText(const Look &look, const QString &diff)
{
    QString text;
    bool isHead = true;
    QStringList lines = diff.split(u'\n');
    lines.removeLast(); // behind the last end
    for (const QString &line : lines) {
        isHead = isHead && !line.startsWith(QLatin1String("@@"));
        text += lineText(look, line, roleOf(line, isHead));
    }
    return text;
}

} // namespace firstwatch::ui
