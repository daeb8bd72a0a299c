// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/activefile.h"
#include "conflist/scan.h"

namespace firstwatch::conflist {

struct Plugin {
    Span span;
    Kind kind = Kind::Null;
    QList<Item> members; // when it is an object
    QByteArray type; // as libcni finds it; empty when it would not
};

// A CNI config, as far as this room looks into it.
struct Config {
    Scan root;
    std::optional<Item> pluginsMember; // the last one of that name, as Go takes it
    QList<Plugin> plugins; // its elements, when it is an array
    bool tooManyParts = false;

    [[nodiscard]] const std::optional<Finding> &fault() const { return root.fault; }
};
[[nodiscard]] Config readConfig(QByteArrayView text);

// What libcni says to a config. `code` and `offset` point to the reason when it is refused.
struct Judgement {
    Verdict verdict;
    int code = 0;
    qsizetype offset = -1;
};
[[nodiscard]] Judgement judge(const QByteArray &name, QByteArrayView text, const Config &config);

} // namespace firstwatch::conflist
