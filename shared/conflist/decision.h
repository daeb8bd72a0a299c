// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/config.h"
#include "conflist/plan.h"

// What the decisions about lists and about single plugins have in common.
namespace firstwatch::conflist {

// All that the decision about one file is made from. The references are the caller's of plan().
struct Case {
    const QByteArray &name;
    const QByteArray &text;
    const Options &options;
    Config config;
    Verdict verdict;
    QByteArrayList types; // ours
};

[[nodiscard]] Plan left(Action action, bool drift, const Finding &finding);
[[nodiscard]] Plan refuse(bool drift, int code, const QString &text);
[[nodiscard]] Plan tooLarge();

// Whatever was planned for `file`, the runtime has to accept it, the next plan() has to understand it, and nothing but
// our plugins may differ: else a refusal.
[[nodiscard]] Plan checked(const Case &file, const Plan &plan);

} // namespace firstwatch::conflist
