// SPDX-License-Identifier: Apache-2.0
#include "stream/counters.h"

namespace firstwatch::stream {

QJsonObject Counters::toJson() const
{
    return { { QStringLiteral("clients"), clients }, { QStringLiteral("accepted"), accepted },
        { QStringLiteral("refused"), refused }, { QStringLiteral("failures"), failures },
        { QStringLiteral("malformed"), malformed }, { QStringLiteral("limited"), limited },
        { QStringLiteral("gaps"), gaps }, { QStringLiteral("dropped"), dropped },
        { QStringLiteral("stalled"), stalled }, { QStringLiteral("silent"), silent },
        { QStringLiteral("cut_off"), cutOff }, { QStringLiteral("bytes"), bytes } };
}

} // namespace firstwatch::stream
