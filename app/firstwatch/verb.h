// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/options.h"

#include "ui/text/documentwriter.h"

#include <array>

namespace firstwatch::cli {

// One call of a verb: what was asked for, and where it goes.
struct Call {
    Options options;
    Output &out;
    QString program; // how it was called: "firstwatch", or "kubectl firstwatch"
};

inline constexpr int any = 1000; // as many as there are

struct Verb {
    const char *name;
    const char *arguments; // what stands after it: "CODE…"
    const char *purpose; // one line
    unsigned groups; // of the options that it takes
    QList<const char *> forms; // of --output, the default first; empty: it has none
    int fewest; // arguments
    int most;
    int sources; // that it takes at most
    std::array<const char *, 3> examples; // what stands after the program's name; a test runs each
    int (*run)(Call &call); // gives back the exit code
    QList<ui::Filter::Key> filterKeys = {}; // what a filter can ask for here, besides words
};

// Whether the output is a form for programs: json, or the same as yaml.
[[nodiscard]] bool isDocument(const Options &options);
// Writes it in that form.
void sayDocument(Call &call, const QJsonObject &document);
// For one that is written part by part; of any form but yaml it is JSON.
[[nodiscard]] ui::DocumentWriter documentWriter(Call &call);

// In the order of the help.
[[nodiscard]] const QList<Verb> &allVerbs();
[[nodiscard]] const Verb *verbNamed(const QString &name); // null: there is none

int runStatus(Call &call);
int runNode(Call &call);
int runCheck(Call &call);
int runFindings(Call &call);
int runEvents(Call &call);
int runTimeline(Call &call);
int runHistory(Call &call);
int runPreview(Call &call);
int runRace(Call &call); // of preview, with --race
int runLint(Call &call);
int runExplain(Call &call);
int runBundle(Call &call);
int runOpen(Call &call);
int runDemo(Call &call);
int runDoctor(Call &call);
int runCompletion(Call &call);
int runVersion(Call &call);
int runHelp(Call &call);

} // namespace firstwatch::cli
