// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace firstwatch::service {

struct HelpRow {
    const char *call; // "probe live|ready|started"
    const char *text;
};

// What is said about the program besides its options (options.h), for --help and for the manual page. Lines have at
// most 80 characters; paragraphs are separated by an empty one.
struct ProgramHelp {
    const char *purpose;
    QList<HelpRow> commands; // the first one is the default
    QList<HelpRow> switches; // those that are no options
    const char *notes; // about options
    QList<const char *> examples;
    QList<HelpRow> exitCodes;
};
[[nodiscard]] const ProgramHelp &programHelp();

[[nodiscard]] QByteArray helpText();

} // namespace firstwatch::service
