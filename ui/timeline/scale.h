// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timeline.h"

namespace firstwatch::ui {

// Where a moment stands in a picture of a given width: linear, and the same for all of it, but for stretches in which
// nothing happened, which are folded into breaks.
class Scale {
public:
    struct Piece {
        qint64 fromNs = 0;
        qint64 toNs = 0;
        double x = 0; // of fromNs
    };
    // In front of a piece: how long was folded, and how many marks with it (those of pieces that had no room).
    struct Break {
        double x = 0;
        qint64 spanNs = 0;
        int marks = 0;
    };
    struct Tick {
        double x = 0;
        qint64 atNs = 0;
    };

    // `width`, `breakWidth` and the least width of a piece in the same unit: columns or pixels.
    Scale(const Timeline &timeline, double width, double breakWidth, double leastPiece);

    // Inside a break: where it begins.
    [[nodiscard]] double x(qint64 atNs) const;
    [[nodiscard]] bool shows(qint64 atNs) const;
    // The moment at a place: of a break its begin, outside of the picture its first or last moment.
    [[nodiscard]] qint64 at(double x) const;
    [[nodiscard]] const QList<Piece> &pieces() const { return m_pieces; }
    [[nodiscard]] const QList<Break> &breaks() const { return m_breaks; }
    [[nodiscard]] double nsPerUnit() const { return m_nsPerUnit; }
    // At times that are round when counted from `zeroNs`, at least so far apart.
    [[nodiscard]] QList<Tick> ticks(double leastDistance, qint64 zeroNs = 0) const;

private:
    void cluster(const QList<qint64> &moments, qint64 longestIdleNs);
    void keepWhatFits(const QList<qint64> &moments, double width, double breakWidth, double leastPiece);
    void stretch(double width, double breakWidth, double leastPiece);
    void place(double breakWidth);

    QList<Piece> m_pieces;
    QList<Break> m_breaks; // one less than pieces
    double m_nsPerUnit = 1;
};

} // namespace firstwatch::ui
