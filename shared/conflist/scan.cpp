// SPDX-License-Identifier: Apache-2.0
#include "conflist/scan.h"

#include "conflist/collector.h"

namespace firstwatch::conflist {

Scan scan(QByteArrayView text, Span part)
{
    Scan result;
    Collector collector(result, part.begin);
    result.fault = read(part.of(text), collector);
    return result;
}

Scan scan(QByteArrayView text)
{
    return scan(text, { 0, text.size() });
}

} // namespace firstwatch::conflist
