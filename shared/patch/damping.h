// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace firstwatch::patch {

// How often one file may be patched. A writer with news is answered at once. A writer that puts back, again and again,
// what we patched before is a fight: ten answers, then only after a pause that doubles from one second to one minute,
// and never given up. The fight ends when our patch stays for two minutes.
class Damping {
public:
    static constexpr int freeAnswers = 10;
    static constexpr qint64 firstPauseNs = 1'000'000'000;
    static constexpr qint64 longestPauseNs = 60'000'000'000;
    static constexpr qint64 calmNs = 120'000'000'000;
    static constexpr int burst = 3000; // patches of whatever content, refilled 50 a second: a brake, not a fight
    static constexpr double burstPerSecond = 50;

    // 0: patch the text with this hash now. Otherwise: nanoseconds to wait before asking again.
    [[nodiscard]] qint64 waitNs(const QByteArray &textHash, qint64 nowNs) const;
    // The text was patched.
    void patched(const QByteArray &textHash, qint64 nowNs);

    [[nodiscard]] bool isContested(qint64 nowNs) const;
    // True when nothing that was remembered bears on the next patch.
    [[nodiscard]] bool isForgotten(qint64 nowNs) const;
    [[nodiscard]] int restores() const { return m_restores; } // since the fight began

private:
    [[nodiscard]] qint64 pauseNs() const;
    [[nodiscard]] double burstLeft(qint64 nowNs) const;

    QList<QByteArray> m_answered; // hashes of texts that were patched, newest first
    int m_restores = 0;
    qint64 m_lastPatchNs = 0;
    qint64 m_lastRestoreNs = 0;
    double m_burstUsed = 0;
};

} // namespace firstwatch::patch
