// SPDX-License-Identifier: Apache-2.0
#include "patch/damping.h"

#include <algorithm>

namespace firstwatch::patch {

namespace {
constexpr qsizetype remembered = 4; // an opponent may alternate between a few texts
constexpr double second = 1e9;
} // namespace

qint64 Damping::waitNs(const QByteArray &textHash, qint64 nowNs) const
{
    if (m_answered.contains(textHash) && m_restores >= freeAnswers && isContested(nowNs))
        return std::max<qint64>(0, m_lastPatchNs + pauseNs() - nowNs);
    return burstLeft(nowNs) >= 1 ? 0 : qint64(second / burstPerSecond);
}

void Damping::patched(const QByteArray &textHash, qint64 nowNs)
{
    if (nowNs - m_lastRestoreNs > calmNs)
        m_restores = 0;
    if (m_answered.contains(textHash)) {
        ++m_restores;
        m_lastRestoreNs = nowNs;
    }
    m_burstUsed = burst - burstLeft(nowNs) + 1;
    m_lastPatchNs = nowNs;
    m_answered.removeAll(textHash);
    m_answered.prepend(textHash);
    m_answered.resize(std::min(m_answered.size(), remembered));
}

bool Damping::isContested(qint64 nowNs) const
{
    return m_restores >= freeAnswers && nowNs - m_lastRestoreNs <= calmNs;
}

bool Damping::isForgotten(qint64 nowNs) const
{
    return m_answered.isEmpty() || nowNs - m_lastPatchNs > calmNs;
}

qint64 Damping::pauseNs() const
{
    const int doublings = std::min(m_restores - freeAnswers, 6);
    return std::min(firstPauseNs << std::max(doublings, 0), longestPauseNs);
}

double Damping::burstLeft(qint64 nowNs) const
{
    const double refilled = double(nowNs - m_lastPatchNs) / second * burstPerSecond;
    return burst - std::max(0.0, m_burstUsed - refilled);
}

} // namespace firstwatch::patch
