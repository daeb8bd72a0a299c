// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patch/configfile.h"

namespace firstwatch::preview {

// One entry of a folder, as it was found there.
struct Entry {
    QByteArray name;
    patch::ReadStatus status = patch::ReadStatus::Failed;
    int error = 0; // errno when it Failed
    QByteArray text;
    int mode = -1; // permission bits of the file; -1: not known, as of the standard input
};

} // namespace firstwatch::preview
