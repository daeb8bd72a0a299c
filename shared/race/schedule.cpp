// SPDX-License-Identifier: Apache-2.0
#include "race/schedule.h"

#include "race/scheduletokens.h"

#include <algorithm>

namespace firstwatch::race {
namespace {

constexpr qint64 afterLastNs = 1'000'000'000;

QByteArray textWord(const Text &text)
{
    return (text.from == Text::From::Literal ? quotedText(text.value) : text.value)
        + (text.isPatched ? QByteArray(" patched") : QByteArray());
}

QByteArray momentWord(const Step &step)
{
    if (step.isAnswer)
        return "patch+" + spanWord(step.atNs);
    return (step.atNs < 0 ? '-' : '+') + spanWord(std::abs(step.atNs));
}

QByteArray objectText(const Step &step)
{
    switch (step.what) {
    case Step::What::Write:
    case Step::What::Create:
    case Step::What::Rename:
        return ' ' + wordText(step.file) + " < " + textWord(step.text);
    case Step::What::Move:
        return ' ' + wordText(step.file) + " to " + wordText(step.to);
    case Step::What::Delete:
        return ' ' + wordText(step.file);
    case Step::What::Overflow:
        return ' ' + spanWord(step.spanNs);
    case Step::What::MakeDir:
    case Step::What::RemoveDir:
    case Step::What::ReplaceDir:
        break;
    }
    return {};
}

QByteArray stepText(const Step &step)
{
    QByteArray text = momentWord(step).leftJustified(9) + ' ' + stepName(step.what) + objectText(step);
    if (step.pieces > 1 || step.gapNs > 0)
        text += " in " + QByteArray::number(step.pieces) + " pieces every " + spanWord(step.gapNs);
    if (step.times > 1 || step.everyNs > 0)
        text += " times " + QByteArray::number(step.times);
    if (!step.isAnswer && (step.times > 1 || step.everyNs > 0))
        text += " every " + spanWord(step.everyNs);
    return text + '\n';
}

// The last moment of a step; of an answer, which has none, the start.
qint64 endOfStep(const Step &step)
{
    if (step.isAnswer)
        return 0;
    return step.atNs + (step.times - 1) * step.everyNs + (step.pieces - 1) * step.gapNs + step.spanNs;
}

} // namespace

QByteArray stepName(Step::What what)
{
    switch (what) {
    case Step::What::Write:
        return "write";
    case Step::What::Create:
        return "create";
    case Step::What::Rename:
        return "rename";
    case Step::What::Move:
        return "move";
    case Step::What::Delete:
        return "delete";
    case Step::What::MakeDir:
        return "mkdir";
    case Step::What::RemoveDir:
        return "rmdir";
    case Step::What::ReplaceDir:
        return "replace dir";
    case Step::What::Overflow:
        break;
    }
    return "overflow";
}

QByteArray scheduleText(const Schedule &schedule)
{
    QByteArray text;
    if (!schedule.title.isEmpty())
        text += "title " + quotedText(schedule.title) + '\n';
    if (!schedule.source.isEmpty())
        text += "source " + quotedText(schedule.source) + '\n';
    if (schedule.forkDelayNs > 0)
        text += "delay fork " + spanWord(schedule.forkDelayNs) + '\n';
    if (schedule.watchDelayNs > 0)
        text += "delay watch " + spanWord(schedule.watchDelayNs) + '\n';
    if (schedule.isDeaf)
        text += "deaf\n";
    if (schedule.untilNs)
        text += "until +" + spanWord(*schedule.untilNs) + '\n';
    for (const Step &step : schedule.steps)
        text += stepText(step);
    return text;
}

qint64 endOf(const Schedule &schedule)
{
    if (schedule.untilNs)
        return *schedule.untilNs;
    qint64 end = schedule.forkDelayNs + schedule.watchDelayNs;
    for (const Step &step : schedule.steps)
        end = std::max(end, endOfStep(step));
    return std::min(end + afterLastNs, longestNs);
}

} // namespace firstwatch::race
