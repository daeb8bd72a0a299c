// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace firstwatch {

// A problem with a code. Codes are never reused; journal/codes.h holds what each means and what to do.
struct Finding {
    int code = 0; // 2001 is shown as FW2001
    QString text; // one sentence, names the thing; never a value out of the file
    qsizetype offset = -1; // byte offset in the file, -1 when it concerns the whole file

    friend bool operator==(const Finding &, const Finding &) = default;
};

} // namespace firstwatch
