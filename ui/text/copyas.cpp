// SPDX-License-Identifier: Apache-2.0
#include "ui/text/copyas.h"

#include "ui/text/events.h"
#include "ui/text/json.h"

#include "journal/humanline.h"

#include <QJsonArray>
#include <QRegularExpression>

namespace firstwatch::ui {

using journal::Event;

namespace {

QString asText(const QList<Event> &events)
{
    QString text;
    for (const Event &event : events)
        text += eventText({}, event, true);
    return text;
}

QString asJson(const QList<Event> &events)
{
    QJsonArray all;
    for (const Event &event : events)
        all.append(eventJson(event));
    return QString::fromUtf8(jsonText(document(QStringLiteral("events"), all), true));
}

// Nothing in it is taken for a mark of Markdown.
QString markdownCell(const QString &text)
{
    static const QRegularExpression marks(QStringLiteral("([\\\\`*_{}\\[\\]<>|#~])"));
    return QString(text).replace(marks, QStringLiteral("\\\\1"));
}

QString asMarkdown(const QList<Event> &events)
{
    QString text = QStringLiteral("| Seq | Time | Kind | File | Detail |\n| --: | --- | --- | --- | --- |\n");
    for (const Event &event : events) {
        const QStringList cells{ QString::number(event.seq), QString::fromLatin1(journal::wallText(event.wallUs)),
            kindText(event), event.fields[QLatin1String("file")].toString(), journal::humanDetail(event) };
        for (const QString &cell : cells)
            text += QStringLiteral("| ") + markdownCell(journal::shownText(cell)) + u' ';
        text += QStringLiteral("|\n");
    }
    return text;
}

QString sourceOptions(const Node &node)
{
    const QString source = shellWord(node.source);
    if (!node.isLive)
        return QStringLiteral(" --from ") + source;
    return (node.source.contains(u'/') ? QStringLiteral(" --socket ") : QStringLiteral(" --endpoint ")) + source;
}

} // namespace

QString shellWord(const QString &text)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(text).hasMatch())
        return text;
    return QStringLiteral("'%1'").arg(QString(text).replace(u'\'', QLatin1String("'\\''")));
}

QString commandFor(const QString &verb, const Node &node, const Filter &filter)
{
    const QString options = filter.isEmpty() ? QString() : QStringLiteral(" --filter ") + shellWord(filter.text());
    return QStringLiteral("firstwatch ") + verb + sourceOptions(node) + options;
}

QString copyOfEvents(CopyForm form, const Node &node, const QList<Event> &events, const Filter &filter)
{
    switch (form) {
    case CopyForm::Text:
        return asText(events);
    case CopyForm::Json:
        return asJson(events);
    case CopyForm::Markdown:
        return asMarkdown(events);
    case CopyForm::Command:
        break;
    }
    return commandFor(QStringLiteral("events"), node, filter);
}

} // namespace firstwatch::ui
