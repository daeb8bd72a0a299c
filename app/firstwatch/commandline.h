// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

namespace firstwatch::cli {

// What was typed, understood: a verb with its options, or what is wrong with it.
struct CommandLine {
    const Verb *verb = nullptr; // null: see `error`
    Options options;
    QString program;
    QString error; // in words, with the way out
    QString warning; // what is wrong and does not keep it from running
};

// `arguments` with the program's name first.
[[nodiscard]] CommandLine parseCommandLine(const QByteArrayList &arguments);

} // namespace firstwatch::cli
