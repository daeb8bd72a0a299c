// SPDX-License-Identifier: Apache-2.0
#include "stream/tokenbucket.h"

#include <algorithm>
#include <cmath>

namespace firstwatch::stream {

TokenBucket::TokenBucket(double perSecond, double burst)
    : m_perSecond(perSecond)
    , m_burst(burst)
    , m_tokens(burst)
{
}

bool TokenBucket::take(qint64 nowNs)
{
    refill(nowNs);
    if (m_tokens < 1)
        return false;
    m_tokens -= 1;
    return true;
}

int TokenBucket::waitMs(qint64 nowNs)
{
    refill(nowNs);
    return m_tokens >= 1 ? 0 : int(std::ceil((1 - m_tokens) / m_perSecond * 1000));
}

void TokenBucket::refill(qint64 nowNs)
{
    m_tokens = std::min(m_burst, m_tokens + double(nowNs - m_filledNs) * 1e-9 * m_perSecond);
    m_filledNs = nowNs;
}

} // namespace firstwatch::stream
