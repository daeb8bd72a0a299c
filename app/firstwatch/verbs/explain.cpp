// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/verb.h"

#include "journal/codes.h"
#include "journal/shownname.h"
#include "ui/text/findings.h"
#include "ui/text/json.h"

#include <QJsonArray>

namespace firstwatch::cli {
namespace {

// "FW1002", "fw1002" or "1002". Null when there is no such code.
const journal::CodeEntry *entryNamed(QString name)
{
    if (name.startsWith(QLatin1String("fw"), Qt::CaseInsensitive))
        name.remove(0, 2);
    return journal::codeEntry(name.toInt());
}

QList<const journal::CodeEntry *> wantedCodes(const QStringList &names, QString &unknown)
{
    QList<const journal::CodeEntry *> entries;
    for (const QString &name : names) {
        entries.append(entryNamed(name));
        if (entries.last() == nullptr)
            unknown = name;
    }
    if (names.isEmpty()) {
        for (const journal::CodeEntry &entry : journal::allCodes())
            entries.append(&entry);
    }
    return entries;
}

QString pages(const ui::Look &look, const QList<const journal::CodeEntry *> &entries)
{
    QStringList all;
    for (const journal::CodeEntry *entry : entries)
        all += ui::codePage(look, *entry);
    return all.join(u'\n');
}

} // namespace

int runExplain(Call &call)
{
    QString unknown;
    const QList<const journal::CodeEntry *> entries = wantedCodes(call.options.arguments, unknown);
    if (!unknown.isEmpty()) {
        call.out.error(QStringLiteral("there is no finding code '%1'\nSee all: %2 explain").arg(unknown, call.program));
        return exitcode::usage;
    }
    if (isDocument(call.options)) {
        QJsonArray array;
        for (const journal::CodeEntry *entry : entries)
            array.append(ui::codeJson(*entry));
        sayDocument(call, ui::document(QStringLiteral("codes"), array));
    } else {
        call.out.page(
            call.options.arguments.isEmpty() ? ui::codeTable(call.out.look()) : pages(call.out.look(), entries));
    }
    return exitcode::nothing;
}

} // namespace firstwatch::cli
