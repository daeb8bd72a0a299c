// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/nodeview.h"
#include "service/unprotected.h"
#include "stream/counters.h"

namespace firstwatch::service {

// What the metrics are made of.
struct MetricsSource {
    const journal::NodeView &view;
    const UnprotectedTime &unprotected;
    const stream::Counters &stream;
    qint64 rearms = 0;
    QString version;
};

// Prometheus' text format 0.0.4, all names beginning with "firstwatch_". What is not known is left out rather than 0.
// `nowNs` of CLOCK_BOOTTIME, `nowUs` since the epoch.
[[nodiscard]] QByteArray metricsText(const MetricsSource &source, qint64 nowNs, qint64 nowUs);

} // namespace firstwatch::service
