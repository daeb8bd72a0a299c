// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace firstwatch::stream {

// So many a second, and a burst after a rest. Starts full.
class TokenBucket {
public:
    TokenBucket(double perSecond, double burst);

    // Takes one token; false when there is none. `nowNs` never goes back.
    [[nodiscard]] bool take(qint64 nowNs);
    // Milliseconds until there is one again, rounded up; 0 when there is one.
    [[nodiscard]] int waitMs(qint64 nowNs);

private:
    void refill(qint64 nowNs);

    double m_perSecond;
    double m_burst;
    double m_tokens;
    qint64 m_filledNs = 0;
};

} // namespace firstwatch::stream
