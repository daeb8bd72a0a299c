// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/activefile.h"
#include "conflist/plan.h"
#include "preview/entry.h"

namespace firstwatch::preview {

struct Options {
    conflist::Options chain;
    QByteArrayList excludes; // shell patterns (fnmatch(3)) of names that are left alone
    bool activeOnly = false; // only the file that a runtime would use
    bool isRemoval = false; // what taking the plugin out would change
};

enum class Change {
    None, // is as it should be
    Patch,
    Convert, // a single plugin becomes a list with another name
    Ignored, // not a file for us, for a reason that is no fault
    Left, // should have the plugin and cannot get it
    Unreadable,
};

// What would become of one file.
struct FilePreview {
    QByteArray name;
    Change change = Change::None;
    QString reason; // why it is ignored, left or unreadable
    QByteArray before;
    QByteArray after; // Patch, Convert: the whole new text; else the same as before
    QByteArray targetName; // Convert: the list's
    QList<Finding> findings; // offsets are in `before`
    conflist::Verdict was; // what a runtime says to it, before and after
    conflist::Verdict is;
};

// `hasTurn`: with activeOnly, that no file before it is one a runtime would use.
[[nodiscard]] FilePreview previewFile(const Entry &entry, const Options &options, bool hasTurn);

} // namespace firstwatch::preview
