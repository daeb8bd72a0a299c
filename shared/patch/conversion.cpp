// SPDX-License-Identifier: Apache-2.0
#include "patch/conversion.h"

#include "conflist/conversionrisk.h"
#include "patch/temporaryname.h"

#include <algorithm>
#include <cerrno>

namespace firstwatch::patch {
namespace {

QByteArray listNameOf(const QByteArray &confName)
{
    return confName.first(confName.lastIndexOf('.')) + ".conflist";
}

// The text without our elements, or the text itself.
QByteArray withoutOurs(const QByteArray &name, const QByteArray &text, const conflist::Options &chain)
{
    const conflist::Plan undo = conflist::unplan(name, text, chain.types());
    return undo.action == conflist::Action::Patch ? undo.text : text;
}

// True when the list holds what converting `original` gives, with or without our elements.
bool isConversionOf(
    const QByteArray &confName, const QByteArray &original, const QByteArray &listText, const conflist::Options &chain)
{
    const conflist::Plan plan = conflist::plan(confName, original, chain);
    return plan.action == conflist::Action::Convert
        && withoutOurs(plan.targetName, plan.text, chain) == withoutOurs(plan.targetName, listText, chain);
}

conflist::Neighbours neighboursIn(int directory)
{
    QList<QByteArray> names;
    (void)sys::listDirectory(directory, names); // an unreadable directory shows at the write
    names.removeIf([](const QByteArray &name) { return !conflist::isConfigName(name); });
    std::sort(names.begin(), names.end());
    conflist::Neighbours neighbours(names);
    for (const QByteArray &name : std::as_const(names))
        neighbours.add({ name, readConfig(directory, name, {}).text });
    return neighbours;
}

Written failedAt(const char *step)
{
    Written written;
    written.outcome = errno == ENOENT ? Outcome::Withdrawn : Outcome::Failed;
    written.step = step;
    written.error = errno;
    return written;
}

Written busy()
{
    Written written;
    written.outcome = Outcome::Busy;
    return written;
}

Written createList(int directory, const ConfigFile &conf, const conflist::Plan &plan)
{
    Written written;
    const QByteArray temporary = makeTemporary(directory, plan.targetName, plan.text, conf, written);
    if (temporary.isEmpty())
        return written;
    if (!sys::renameNew(directory, temporary, plan.targetName)) {
        written = failedAt("rename.noreplace");
        (void)sys::unlinkName(directory, temporary);
    } else if (!sys::syncDirectory(directory)) {
        written = failedAt("dir.sync");
    }
    return written;
}

// Moves the original aside, and lets the list's exchange look whether a writer was still at it.
Written putAside(int directory, const ConfigFile &conf, const conflist::Plan &plan, FileState &list)
{
    const QByteArray kept = keptName(conf.name);
    (void)sys::unlinkName(directory, kept); // a rename between two names of one file does nothing (rename(2))
    if (!sys::renameOver(directory, conf.name, kept))
        return failedAt("rename.plain");
    Written written;
    written.before = conf.hash;
    written.after = contentHash(plan.text);
    written.textBefore = conf.text;
    written.textAfter = plan.text;
    list.exchange.adopt(kept, written.after, written.before, true);
    return written;
}

// Under both names for a while, where the file system has links. One that its owner has made again stays.
bool putBack(int directory, const QByteArray &kept, const QByteArray &confName)
{
    return sys::linkName(directory, kept, confName) || errno == EEXIST || sys::renameNew(directory, kept, confName);
}

} // namespace

Transform listTransform(const QByteArray &listName, const conflist::Options &chain)
{
    return [listName, chain](const QByteArray &text) -> std::optional<QByteArray> {
        const conflist::Plan list = conflist::plan(listName, text, chain);
        if (list.action == conflist::Action::Patch)
            return list.text;
        const QByteArray confName = listName.first(listName.lastIndexOf('.')) + ".conf";
        const conflist::Plan single = conflist::plan(confName, text, chain);
        return single.action == conflist::Action::Convert ? std::optional(single.text) : std::nullopt;
    };
}

Conversion convert(
    int directory, const ConfigFile &conf, const conflist::Plan &plan, const conflist::Options &chain, FileState &list)
{
    const ConfigFile existing = readConfig(directory, plan.targetName, {});
    if (const auto why = neighboursIn(directory).risk(conf.name, plan))
        return { why, {} };
    if (sys::askLease(conf.fd.get()) == sys::Lease::SomebodyWrites)
        return { std::nullopt, busy() };
    Written written;
    if (existing.status == ReadStatus::Missing) {
        written = createList(directory, conf, plan);
    } else if (existing.text != plan.text) {
        // The owner has made its file again: our earlier list of it takes over the new content.
        const QByteArray original = readConfig(directory, keptName(conf.name), {}).text;
        if (existing.status != ReadStatus::Ok || !isConversionOf(conf.name, original, existing.text, chain))
            return { conflist::conversionBlocked(plan.targetName), {} };
        written = list.exchange.replace(directory, existing, plan.text, listTransform(plan.targetName, chain));
    }
    return { std::nullopt, written.outcome == Outcome::Done ? putAside(directory, conf, plan, list) : written };
}

Restored restoreKept(int directory, const QByteArray &kept, const conflist::Options &chain)
{
    const QByteArray confName = nameOfKept(kept);
    const QByteArray listName = listNameOf(confName);
    const ConfigFile list = readConfig(directory, listName, {});
    const ConfigFile original = readConfig(directory, kept, {});
    if (list.status == ReadStatus::Failed || original.status != ReadStatus::Ok)
        return Restored::Failed;
    struct stat info { };
    if (list.status == ReadStatus::Missing && sys::statName(directory, listName, info))
        return Restored::Failed; // the original is the only one: whether its list is gone is asked twice
    const bool ours = list.status == ReadStatus::Ok && isConversionOf(confName, original.text, list.text, chain);
    if (!ours) {
        (void)sys::unlinkName(directory, kept); // withdrawn, or the owner's own list by now
        return Restored::ListOnly;
    }
    // The original is back and durable before its list goes: a runtime always finds the network. What was kept goes
    // last: by it the next run knows a list that could not be removed.
    const bool gone = putBack(directory, kept, confName) && sys::syncDirectory(directory)
        && sys::unlinkName(directory, listName) && sys::syncDirectory(directory);
    return gone && (sys::unlinkName(directory, kept) || errno == ENOENT) ? Restored::Original : Restored::Failed;
}

} // namespace firstwatch::patch
