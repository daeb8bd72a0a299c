// SPDX-License-Identifier: Apache-2.0
#include "watch/proof.h"

namespace firstwatch::watch {

QLatin1String witnessName(WitnessWord word)
{
    switch (word) {
    case WitnessWord::Confirmed:
        return QLatin1String("confirmed");
    case WitnessWord::Late:
        return QLatin1String("late");
    case WitnessWord::Absent:
        return QLatin1String("absent");
    case WitnessWord::NotAsked:
        return QLatin1String("not_asked");
    }
    return {};
}

QLatin1String probeName(ProbeKind kind)
{
    return kind == ProbeKind::Chmod ? QLatin1String("chmod") : QLatin1String("open");
}

} // namespace firstwatch::watch
