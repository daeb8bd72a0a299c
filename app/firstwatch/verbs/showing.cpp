// SPDX-License-Identifier: Apache-2.0
// The verbs that show one thing of one node: timeline and history.
#include "app/firstwatch/sources.h"

#include "ui/text/json.h"
#include "ui/text/patches.h"
#include "ui/timeline/ascii.h"
#include "ui/timeline/picture.h"

namespace firstwatch::cli {
namespace {

QString fileNames(const ui::Look &look, const QList<ui::PatchRecord> &records)
{
    QStringList names;
    for (const ui::PatchRecord &record : records)
        names += ui::shown(look, record.file) + u'\n';
    names.removeDuplicates();
    return names.join(QString());
}

} // namespace

int runTimeline(Call &call)
{
    Output &out = call.out;
    const ui::Node node = collectOne(call);
    if (!node.isReached() || !node.hasRun())
        return exitCodeOf(node);
    const ui::Timeline timeline = ui::timelineOf(node.run(), node.gaps);
    if (call.options.output == QLatin1String("json"))
        out.data(
            ui::jsonText(ui::document(QStringLiteral("timeline"), ui::timelineJson(timeline)), out.look().hasUnicode));
    else if (call.options.output == QLatin1String("svg"))
        out.data(ui::timelineSvg(timeline));
    else
        out.data(ui::timelineText(out.look(), timeline));
    out.verdict(ui::marginTitle(timeline) + QStringLiteral(", ") + ui::verdictWord(timeline.verdict) + u'.');
    return exitcode::nothing;
}

int runHistory(Call &call)
{
    Output &out = call.out;
    const ui::Node node = collectOne(call);
    if (!node.isReached())
        return exitcode::notCollected;
    ui::EventFilter filter = call.options.filter;
    if (call.options.sinceNs)
        filter.sinceUs = journal::wallNowUs() - *call.options.sinceNs / 1000;
    QList<ui::PatchRecord> records = ui::patchRecords(node.events);
    records.removeIf([&](const ui::PatchRecord &record) { return !filter.takes(record.event); });
    if (filter.last >= 0)
        records = records.last(std::min(filter.last, records.size()));
    const QString &form = call.options.output;
    if (form == QLatin1String("json"))
        out.data(ui::jsonText(ui::document(QStringLiteral("patches"), ui::patchArray(records)), out.look().hasUnicode));
    else if (form == QLatin1String("name"))
        out.data(fileNames(out.look(), records));
    else
        out.data(ui::patchTable(out.look(), records, form == QLatin1String("wide")));
    out.verdict(QStringLiteral("%1 %2.").arg(records.size()).arg(records.size() == 1 ? u"patch" : u"patches"));
    return exitcode::nothing;
}

} // namespace firstwatch::cli
