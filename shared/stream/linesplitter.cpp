// SPDX-License-Identifier: Apache-2.0
#include "stream/linesplitter.h"

namespace firstwatch::stream {

bool LineSplitter::append(const QByteArray &bytes)
{
    qsizetype begin = 0;
    while (!m_broken && begin < bytes.size()) {
        const qsizetype found = bytes.indexOf('\n', begin);
        const qsizetype end = found < 0 ? bytes.size() : found;
        m_broken = m_rest.size() + end - begin > m_longest;
        if (m_broken) {
            m_rest.clear();
            break;
        }
        m_rest.append(bytes.constData() + begin, end - begin);
        if (found >= 0)
            m_lines.enqueue(std::exchange(m_rest, {}));
        begin = end + 1;
    }
    return !m_broken;
}

std::optional<QByteArray> LineSplitter::next()
{
    if (m_lines.isEmpty())
        return {};
    return m_lines.dequeue();
}

} // namespace firstwatch::stream
