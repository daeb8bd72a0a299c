// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/activefile.h"
#include "conflist/plan.h"

#include <map>
#include <optional>

namespace firstwatch::conflist {

// What the configs of a folder have to do with a conversion of one of them. Nothing of a text is kept, so that a folder
// of thousands is read once, whatever is converted there.
class Neighbours {
public:
    // `names`: those of all configs of the folder, sorted bytewise.
    explicit Neighbours(QByteArrayList names);
    void add(const NamedText &file); // each of them once

    // Why the single plugin in `conf` must not become the list that `plan` makes of it: somebody refers to the file by
    // its name, or a runtime would use another network. A list of the new name that is there is taken for an earlier
    // one of ours.
    [[nodiscard]] std::optional<Finding> risk(const QByteArray &conf, const Plan &plan) const;

private:
    [[nodiscard]] bool isThere(const QByteArray &name) const;

    QByteArrayList m_names;
    std::map<QByteArray, QByteArrayList> m_namedBy; // the first two: one of them is not the file itself
    Deciders m_deciders;
};

[[nodiscard]] Finding conversionBlocked(const QByteArray &listName); // such a list is there, and is its owner's

} // namespace firstwatch::conflist
