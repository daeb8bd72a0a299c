// SPDX-License-Identifier: Apache-2.0
// The verbs that show one thing of one node: timeline and history.
#include "app/firstwatch/sources.h"

#include "ui/text/json.h"
#include "ui/text/patches.h"
#include "ui/timeline/ascii.h"
#include "ui/timeline/compare.h"
#include "ui/timeline/picture.h"
#include "ui/timeline/range.h"

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

// Recordings of before, history files and logs hold events only.
void sayMissingDiffs(Output &out, const ui::Node &node)
{
    if (!node.diffTrouble.isEmpty())
        out.note(node.source + QStringLiteral(": not every change can be shown: ") + node.diffTrouble);
    else if (node.diffs.isEmpty() && !node.isLive)
        out.note(node.source
            + QStringLiteral(": this recording has no texts, so what a patch changed is not known; `bundle` of this "
                             "version keeps them"));
}

// To what lies between two events; false when one of them is not there, which is said.
bool crop(Call &call, const QList<journal::Event> &run, ui::Timeline &timeline, QJsonObject &json)
{
    quint64 missing = 0;
    const std::optional<ui::Range> range =
        ui::rangeBetween(run, call.options.between->first, call.options.between->second, missing);
    if (!range) {
        call.out.error(QStringLiteral("--between: there is no event %1 in this run; it has %2 to %3")
                           .arg(missing)
                           .arg(run.first().seq)
                           .arg(run.last().seq));
        return false;
    }
    timeline = ui::cropped(timeline, run, *range);
    json = { { QStringLiteral("from_seq"), qint64(range->from.seq) },
        { QStringLiteral("to_seq"), qint64(range->to.seq) }, { QStringLiteral("delta_ns"), range->ns() } };
    return true;
}

void showTimeline(Call &call, const ui::Timeline &timeline, const QJsonObject &range)
{
    Output &out = call.out;
    if (isDocument(call.options)) {
        QJsonObject json = ui::timelineJson(timeline);
        if (!range.isEmpty())
            json.insert(QStringLiteral("between"), range);
        sayDocument(call, ui::document(QStringLiteral("timeline"), json));
    } else if (call.options.output == QLatin1String("svg")) {
        out.data(ui::timelineSvg(timeline));
    } else {
        out.data(ui::timelineText(out.look(), timeline));
    }
}

int compareTimelines(Call &call)
{
    QList<ui::Timeline> runs;
    const QList<ui::Node> nodes = collectInOrder(call);
    for (const ui::Node &node : nodes) {
        if (node.isReached() && node.hasRun())
            runs.append(ui::timelineOf(node.run(), node.gaps));
    }
    if (runs.size() != 2) {
        call.out.error(QStringLiteral("there are no two runs to compare"));
        return exitcode::notCollected;
    }
    if (isDocument(call.options))
        sayDocument(call, ui::document(QStringLiteral("comparison"), ui::comparisonJson(runs[0], runs[1])));
    else if (call.options.output == QLatin1String("svg"))
        call.out.data(ui::comparisonSvg(runs[0], runs[1]));
    else
        call.out.data(ui::comparisonText(call.out.look(), runs[0], runs[1]));
    return exitcode::nothing;
}

} // namespace

int runTimeline(Call &call)
{
    Output &out = call.out;
    if (call.options.sources.size() > 1)
        return compareTimelines(call);
    const ui::Node node = collectOne(call);
    if (!node.isReached() || !node.hasRun())
        return exitCodeOf(node);
    const QList<journal::Event> run = node.run();
    ui::Timeline timeline = ui::timelineOf(run, node.gaps);
    QJsonObject range;
    if (call.options.between && !crop(call, run, timeline, range))
        return exitcode::usage;
    showTimeline(call, timeline, range);
    out.verdict(call.options.between
            ? timeline.sentence
            : QString(ui::marginTitle(timeline) + QStringLiteral(", ") + ui::verdictWord(timeline.verdict) + u'.'));
    return exitcode::nothing;
}

int runHistory(Call &call)
{
    Output &out = call.out;
    Options &options = call.options;
    const bool showsDiffs = options.wantsOurs || options.wantsTheirs;
    options.wantsDiffs = showsDiffs;
    const ui::Node node = collectOne(call);
    if (!node.isReached())
        return exitcode::notCollected;
    const QList<ui::PatchRecord> records = ui::patchRecords(node.events, options.filter);
    if (showsDiffs && !records.isEmpty())
        sayMissingDiffs(out, node);
    if (isDocument(options))
        sayDocument(call,
            ui::document(QStringLiteral("patches"),
                showsDiffs ? ui::patchDiffArray(records, node.diffs) : ui::patchArray(records)));
    else if (options.output == QLatin1String("name"))
        out.data(fileNames(out.look(), records));
    else if (showsDiffs)
        out.page(ui::patchDiffs(out.look(), records, node.diffs, { options.wantsOurs, options.wantsTheirs }));
    else
        out.data(ui::patchTable(out.look(), records, options.output == QLatin1String("wide")));
    out.verdict(QStringLiteral("%1 %2.").arg(records.size()).arg(records.size() == 1 ? u"patch" : u"patches"));
    return exitcode::nothing;
}

} // namespace firstwatch::cli
