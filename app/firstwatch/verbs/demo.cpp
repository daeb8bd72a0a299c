// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/recording.h"
#include "app/firstwatch/verb.h"

#include "journal/shownname.h"
#include "ui/timeline/ascii.h"

#include <QFile>
#include <QThread>

#include <algorithm>
#include <initializer_list>

namespace firstwatch::cli {
namespace {

constexpr int frames = 48;
constexpr int frameMs = 200; // under ten seconds for both halves, which share the clock

ui::Timeline recorded(const char *name)
{
    QFile file(QStringLiteral(":/firstwatch/data/") + QLatin1String(name));
    QList<journal::Event> events;
    if (file.open(QIODevice::ReadOnly)) {
        while (!file.atEnd()) {
            if (const std::optional<journal::Event> event = stream::capturedEvent(file.readLine()))
                events.append(*event);
        }
    }
    return ui::timelineOf(events);
}

QString picture(const ui::Look &look, const QList<ui::Timeline> &races, std::optional<qint64> untilNs)
{
    QStringList parts;
    for (const ui::Timeline &race : races)
        parts += ui::timelineText(look, race, untilNs);
    return parts.join(QStringLiteral("\n"));
}

// Each frame is drawn over the one before it: up as many lines as that had, and the screen below cleared (ECMA-48).
void play(Output &out, const QList<ui::Timeline> &races)
{
    const qint64 endNs = std::max(races.first().endNs, races.last().endNs);
    qsizetype lines = 0;
    for (int frame = 1; frame < frames; ++frame) {
        const QString text = picture(out.look(), races, endNs * frame / frames);
        const QString up = lines == 0 ? QString() : QStringLiteral("\x1b[%1A\x1b[J").arg(lines);
        out.data(up + text);
        lines = text.count(u'\n');
        QThread::msleep(frameMs);
    }
    out.data(QStringLiteral("\x1b[%1A\x1b[J").arg(lines));
}

} // namespace

int runDemo(Call &call)
{
    if (!call.options.arguments.isEmpty() && call.options.arguments.first() != QLatin1String("race")) {
        call.out.error(QStringLiteral("the only demo is 'race': %1 demo race").arg(call.program));
        return exitcode::usage;
    }
    const QList<ui::Timeline> races{ recorded("race-seed.jsonl"), recorded("race-firstwatch.jsonl") };
    call.out.lines(QStringLiteral("A config is written 60 ms after the start, while the watch is 140 ms late. "
                                  "Recorded; nothing here is live.\n\n"));
    if (call.out.isTerminal() && !call.out.isQuiet() && qgetenv("TERM") != "dumb")
        play(call.out, races);
    call.out.data(picture(call.out.look(), races, {}));
    return exitcode::nothing;
}

} // namespace firstwatch::cli
