// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"
#include "journal/journal.h"

namespace firstwatch::patch {

// A temporary file of a killed run that holds a config newer than the one that was patched.
struct Leftover {
    QByteArray temporary;
    QByteArray config; // the config that it came out of
    QByteArray ownHash; // of that config as it is now
    QByteArray knownHash; // of the text that was patched into it
};

// Removes what killed runs left in the net dir: our own names, and our own uid or that of the config. A file that came
// out of an exchange which nobody could look at any more is returned instead when it holds newer text. Files of another
// uid stay, with a finding.
[[nodiscard]] QList<Leftover> sweepLeftovers(
    int directory, const QList<QByteArray> &names, const conflist::Options &chain, journal::Journal &journal);

} // namespace firstwatch::patch
