// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/verb.h"

#include "ui/session/recording.h"
#include "ui/timeline/ascii.h"

#include <QThread>

namespace firstwatch::cli {
namespace {

constexpr int frames = 40;
constexpr int frameMs = 125; // five seconds for each of the two

// Each frame is drawn over the one before it: up as many lines as that had, and the screen below cleared (ECMA-48).
void play(Output &out, const ui::Timeline &race)
{
    qsizetype lines = 0;
    const auto wipe = [&] { return lines == 0 ? QString() : QStringLiteral("\x1b[%1A\x1b[J").arg(lines); };
    for (int frame = 1; frame < frames; ++frame) {
        const QString text = ui::timelineText(out.look(), race, race.endNs * frame / frames);
        out.data(wipe() + text);
        lines = text.count(u'\n');
        QThread::msleep(frameMs);
    }
    out.data(wipe());
}

} // namespace

int runDemo(Call &call)
{
    if (!call.options.arguments.isEmpty() && call.options.arguments.first() != QLatin1String("race")) {
        call.out.error(QStringLiteral("the only demo is 'race': %1 demo race").arg(call.program));
        return exitcode::usage;
    }
    call.out.lines(QStringLiteral("A config is written 60 ms after the start, while the watch is 140 ms late.\n"
                                  "Both were recorded; nothing here is live.\n"));
    const bool isAnimated = call.out.isTerminal() && !call.out.isQuiet() && qgetenv("TERM") != "dumb";
    for (const char *name : { "race-seed.jsonl", "race-firstwatch.jsonl" }) {
        const ui::Timeline race = ui::timelineOf(ui::embeddedRun(name));
        call.out.data(QStringLiteral("\n"));
        if (isAnimated)
            play(call.out, race);
        call.out.data(ui::timelineText(call.out.look(), race));
    }
    return exitcode::nothing;
}

} // namespace firstwatch::cli
