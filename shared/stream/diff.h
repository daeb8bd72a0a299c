// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

namespace firstwatch::stream {

// What one patch has changed, as unified diffs without secrets.
struct Diff {
    quint64 seq = 0; // of its patch.applied event
    QByteArray boot;
    QString file; // as it is shown
    QString ours; // what Firstwatch changed; empty: nothing that may be shown
    QString theirs; // what others changed since Firstwatch last wrote it
    bool knowsTheirs = false; // whether it had written it before
    bool isTruncated = false; // one of them ends at a line, long before its end
    friend bool operator==(const Diff &, const Diff &) = default;

    [[nodiscard]] qsizetype size() const { return ours.size() + theirs.size(); } // UTF-16 units
};

inline constexpr qsizetype longestDiff = 256LL * 1024; // bytes of either diff, in UTF-8

// Both diffs in pieces that fit into a frame whatever they hold, as the method "diff" answers and as a capture keeps
// them: {boot, seq, file, truncated, offset, ours, theirs, more, next}. `theirs` is null when it is not known. `offset`
// counts units of ours and then of theirs, `next` is the offset of the next piece.
[[nodiscard]] QJsonObject diffPage(const Diff &diff, qsizetype offset);

// Puts the pieces together again. They come from anywhere.
class DiffReader {
public:
    enum class Took { Nothing, Piece, Last };
    // A piece with offset 0 begins anew. Nothing: it does not go on where the one before it ended, or with another
    // diff.
    Took take(const QJsonObject &page);
    [[nodiscard]] const Diff &diff() const { return m_diff; }

private:
    Diff m_diff;
    bool m_isOpen = false; // more is to come
};

} // namespace firstwatch::stream
