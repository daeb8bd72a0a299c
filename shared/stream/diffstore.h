// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/diff.h"

#include <deque>
#include <map>

namespace firstwatch::stream {

// What the last patches have changed. Keeps the diffs, which are small, rather than the texts; of these only what
// Firstwatch left in each file last, to tell what the others make of it. All without secrets, but for what is noted and
// not made yet: that is the file itself, which lies on the same node.
class DiffStore {
public:
    static constexpr size_t mostDiffs = 256;
    static constexpr qsizetype mostBytes = 2LL * 1024 * 1024; // of the diffs; and as much of the texts

    // The whole text of a file before and after the patch with this seq.
    struct Noted {
        quint64 seq = 0;
        QByteArray boot;
        QByteArray name;
        QByteArray before;
        QByteArray after;
        [[nodiscard]] qsizetype bytes() const { return before.size() + after.size(); }
    };
    // A patch has happened at that time (CLOCK_BOOTTIME), and its texts are on their way.
    void expect(quint64 seq, qint64 tNs);
    // How long it may still take until note() has them; 0: they are there, or will not come.
    [[nodiscard]] int waitMs(quint64 seq, qint64 nowNs) const;
    static constexpr int patienceMs = 1000; // they follow at once, unless the node has no processor to spare

    // In order of seq. The diff is made no sooner than by settle(), so that a burst of patches need not share the
    // processor with it; of more than can be kept the oldest are not made at all.
    void note(Noted noted);
    void settle();
    [[nodiscard]] const Diff *find(quint64 seq) const; // null when it is not there
    [[nodiscard]] const std::deque<Diff> &diffs() const { return m_diffs; } // oldest first
    [[nodiscard]] quint64 evictedTo() const { return m_evictedTo; } // seq of the last that fell out, 0: none

private:
    struct Left {
        quint64 seq = 0; // of the patch that left it
        QByteArray text;
    };
    void make(const Noted &noted);
    void skipOldest();
    void forgetLeft(const QByteArray &name);
    void keepLeft(const QByteArray &name, quint64 seq, const QByteArray &text);
    void shrink();

    struct Expected {
        quint64 seq = 0;
        qint64 tNs = 0;
    };
    std::deque<Expected> m_expected;
    std::deque<Noted> m_noted;
    qsizetype m_notedBytes = 0;
    std::deque<Diff> m_diffs;
    std::map<QByteArray, Left> m_left; // by file
    qsizetype m_diffBytes = 0;
    qsizetype m_leftBytes = 0;
    quint64 m_evictedTo = 0;
};

} // namespace firstwatch::stream
