// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLatin1String>
#include <QList>

// Every finding code once, with all that is said about it. docs/codes.md and the tests are made from this table.
namespace firstwatch::journal {

enum class Severity { Error, Warning, Info };

// What an open finding does to the state of the node.
enum class Effect {
    None, // is listed
    Degraded, // the node works on a fallback
};

struct CodeEntry {
    int code;
    Severity severity;
    Effect effect;
    const char *title; // a few words
    const char *meaning; // what it means for pods
    const char *does; // what Firstwatch does next
    const char *next; // what you can do: a command where there is one
};

[[nodiscard]] const QList<CodeEntry> &allCodes();
// Null for an unknown code.
[[nodiscard]] const CodeEntry *codeEntry(int code);

} // namespace firstwatch::journal
