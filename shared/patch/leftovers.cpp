// SPDX-License-Identifier: Apache-2.0
#include "patch/leftovers.h"

#include "patch/configfile.h"
#include "patch/temporaryname.h"

#include <optional>
#include <unistd.h>

namespace firstwatch::patch {
namespace {

// Temporary names without a hash: those of the kubeconfig and of the binaries' installer.
bool isPlainTemporary(const QByteArray &name)
{
    constexpr qsizetype randomLetters = 6;
    constexpr char mark[] = ".firstwatch-";
    const qsizetype at = name.lastIndexOf(mark);
    return name.startsWith('.') && at > 0 && name.size() - at - qsizetype(sizeof mark - 1) == randomLetters;
}

// A temporary file has the owner of its config as soon as it is whole, and what came out of an exchange has it anyway.
bool isOurs(int directory, const QByteArray &name, const struct stat &info, const std::optional<QByteArray> &hash)
{
    if (info.st_uid == ::geteuid() || !hash)
        return info.st_uid == ::geteuid();
    struct stat config { };
    return readConfig(directory, name, {}).hash == *hash
        || (sys::statName(directory, nameOfTemporary(name), config) && config.st_uid == info.st_uid);
}

// The config that our exchange put in when `temporary` came out, if its owner has not written it since; only when what
// came out holds newer text, or may yet: somebody writes to it.
std::optional<Leftover> newerText(int directory, const QByteArray &temporary, const QByteArray &ownHash,
    const QList<QByteArray> &names, const conflist::Options &chain)
{
    const ConfigFile cameOut = readConfig(directory, temporary, {});
    if (cameOut.status != ReadStatus::Ok)
        return std::nullopt;
    for (const QByteArray &name : names) {
        if (!conflist::isConfigName(name))
            continue;
        const ConfigFile config = readConfig(directory, name, {});
        if (config.status != ReadStatus::Ok || config.hash != ownHash)
            continue;
        // What the exchange was made from: a patch put ours in, an undo took ours out.
        const conflist::Plan undo = conflist::unplan(name, config.text, chain.types());
        const QByteArray known = undo.action == conflist::Action::Patch ? undo.text : config.text;
        const bool theirs = conflist::plan(name, cameOut.text, chain).action == conflist::Action::Patch;
        const bool busy = sys::askLease(cameOut.fd.get()) == sys::Lease::SomebodyWrites;
        if (busy || (theirs && known != cameOut.text))
            return Leftover{ temporary, name, ownHash, contentHash(known) };
    }
    return std::nullopt;
}

} // namespace

QList<Leftover> sweepLeftovers(
    int directory, const QList<QByteArray> &names, const conflist::Options &chain, journal::Journal &journal)
{
    QList<Leftover> kept;
    for (const QByteArray &name : names) {
        const std::optional<QByteArray> hash = temporaryHash(name);
        struct stat info { };
        if ((!hash && !isPlainTemporary(name)) || !sys::statName(directory, name, info) || !S_ISREG(info.st_mode))
            continue;
        if (!isOurs(directory, name, info, hash)) {
            journal.openFinding(
                { 1204,
                    QStringLiteral("looks like a leftover of ours, and belongs to another user; remove it by hand") },
                name);
            continue;
        }
        const std::optional<Leftover> newer = hash ? newerText(directory, name, *hash, names, chain) : std::nullopt;
        if (newer)
            kept.append(*newer);
        else
            (void)sys::unlinkName(directory, name);
    }
    return kept;
}

} // namespace firstwatch::patch
