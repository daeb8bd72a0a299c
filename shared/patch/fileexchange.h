// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patch/configfile.h"

#include <QByteArray>
#include <QList>

#include <functional>
#include <optional>

namespace firstwatch::patch {

// What should stand in place of the owner's text; nothing when the owner's text itself should (it does not parse, or
// is right as it is).
using Transform = std::function<std::optional<QByteArray>(const QByteArray &text)>;

enum class Outcome {
    Done, // the new text stands
    Busy, // somebody has the file open for writing; nothing was changed
    Withdrawn, // its owner has removed or renamed it; never made again
    Failed, // see step and error; the file is as it was
};

struct Written {
    Outcome outcome = Outcome::Done;
    const char *step = ""; // which call failed: "temp.create", "rename.exchange" … (names of the fail points)
    int error = 0;
    QByteArray before; // contentHash() of the owner's text that was patched last
    QByteArray after; // contentHash() of what stands now
    QByteArray textBefore; // the texts of these two, shared with who read and made them
    QByteArray textAfter;
    bool recovered = false; // a writer was quicker: its newer text was found and patched as well
    QList<QByteArray> notKept; // "owner", "mode" or names of extended attributes that could not be carried over
};

// The write recipe for one file, and the only place where a config is replaced. A temporary file in the same directory
// is made whole and durable, then exchanged with the config (renameat2 RENAME_EXCHANGE). What comes out is looked at:
// if it is not what was read, a quicker writer put it there, and its text is patched and exchanged again. What came out
// is kept until nobody can be writing to it: a writer that opened the file a moment before the exchange writes there.
class FileExchange {
public:
    static constexpr qint64 graceNs = 20'000'000; // an open(2) under way at the exchange has ended by then
    static constexpr qint64 noLeaseNs = 1'000'000'000; // where leases are refused: quiet time instead
    static constexpr int mostRounds = 8; // against a writer that is always quicker; then a later call

    // `read` is the version that `text` was made from. `force`: patch although somebody has it open for writing.
    [[nodiscard]] Written replace(
        int directory, const ConfigFile &read, const QByteArray &text, const Transform &transform, bool force = false);
    // Looks at what was displaced; patches newer text found there; removes what is of no use any more. Does nothing
    // when all is settled. `written` tells of a patch, if there was one.
    [[nodiscard]] std::optional<Written> settle(int directory, const QByteArray &name, const Transform &transform);
    [[nodiscard]] bool isSettled() const { return m_displaced.isEmpty(); }
    [[nodiscard]] bool isDisplaced(const QByteArray &fileName) const;
    // How long to wait before the next settle(): the longer somebody has kept a displaced file open, the longer. Its
    // close is an event of its own. 0 when all is settled.
    [[nodiscard]] qint64 restNs(qint64 nowNs) const;
    // What we put there last; nothing before, and when its owner's file was put back. The text goes when all is
    // settled.
    [[nodiscard]] Known own() const { return m_ownStands ? m_standing : Known(); }
    // Takes over a file that came out, or was put aside, when the content with `ownHash` was put in; its content with
    // `knownHash` has been taken into account. A kept one stays when all is settled.
    void adopt(const QByteArray &fileName, const QByteArray &ownHash, const QByteArray &knownHash, bool keep = false);
    // Removes what is left without a further look: the config is gone, or the process ends.
    void dropAll(int directory);

private:
    struct Displaced {
        QByteArray temporary;
        Known known; // the version that has been taken into account
        qint64 sinceNs = 0;
        bool keep = false; // the original of a converted file
        bool atRest = false; // known, and nobody was writing, when it was looked at last
    };
    enum class Look { Gone, Waiting, Newer };

    static Look remove(int directory, const Displaced &displaced);
    static Look lookAt(int directory, Displaced &displaced, const Transform &transform, ConfigFile &newer);
    Written supersede(
        int directory, const QByteArray &name, qsizetype index, const ConfigFile &newer, const Transform &transform);
    bool swapIn(
        int directory, const QByteArray &temporary, const QByteArray &name, const Known &expectedOut, Written &written);

    QList<Displaced> m_displaced;
    Known m_standing; // the version that we put in place last
    bool m_ownStands = false; // it is ours; else its owner's, put back
};

// A whole and durable temporary file beside `name`, with owner, mode and attributes of `like`. Returns its name, with
// written.after; empty, with nothing left behind and the failed step in `written`, otherwise.
[[nodiscard]] QByteArray makeTemporary(
    int directory, const QByteArray &name, const QByteArray &text, const ConfigFile &like, Written &written);

} // namespace firstwatch::patch
