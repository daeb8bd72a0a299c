// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

namespace firstwatch::cli {

// What is said of the program as a whole, for --help and for the manual page. Lines have at most 80 characters.
struct ProgramHelp {
    const char *purpose;
    const char *withoutSource; // which node it is then
    struct ExitCode {
        int code;
        const char *meaning;
    };
    QList<ExitCode> exitCodes;
};
[[nodiscard]] const ProgramHelp &programHelp();

[[nodiscard]] QString overview(const QString &program);
// What --help says of a verb, and what -h does: purpose, usage and the options, a line each. At most 80 columns.
[[nodiscard]] QString shortHelp(const Verb &verb, const QString &program);
[[nodiscard]] QString verbHelp(const Verb &verb, const QString &program);
// The word that was most likely meant; empty when none is near.
[[nodiscard]] QString nearestOf(const QString &typed, const QStringList &words);
// The verb that was most likely meant; empty when none is near.
[[nodiscard]] QString nearestVerb(const QString &typed);

} // namespace firstwatch::cli
