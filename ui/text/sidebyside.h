// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace firstwatch::ui {

// A line of a unified diff in two columns. Lines that were taken out and put in at one place stand beside each other.
struct SideLine {
    enum class Kind { Same, Changed, Place }; // Place: "@@ … @@", on both sides
    struct Side {
        QString text;
        int number = 0; // of the line in its version, from 1; 0: there is none on this side
        // The stretch of the text that differs from the other side; of a line without one all of it.
        qsizetype from = 0;
        qsizetype size = 0;
        friend bool operator==(const Side &, const Side &) = default;
    };
    Kind kind = Kind::Same;
    Side left;
    Side right;
    friend bool operator==(const SideLine &, const SideLine &) = default;
};

// Takes any text. What stands before the first place is left out.
[[nodiscard]] QList<SideLine> sideBySide(const QString &unifiedDiff);

} // namespace firstwatch::ui
