// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QQueue>

#include <optional>

namespace firstwatch::stream {

// Lines out of a byte stream that arrives in pieces of any size. Of a line that has not ended it keeps at most the
// limit.
class LineSplitter {
public:
    // `longest`: bytes of a line, its end not counted.
    explicit LineSplitter(qsizetype longest)
        : m_longest(longest)
    {
    }
    // False from the first line on that is longer than the limit: what came before it can still be had from next(), and
    // nothing is kept any more.
    bool append(const QByteArray &bytes);
    // The next whole line without its end; nothing until more bytes come.
    [[nodiscard]] std::optional<QByteArray> next();
    // Bytes of the line that has not ended.
    [[nodiscard]] qsizetype pending() const { return m_rest.size(); }

private:
    QQueue<QByteArray> m_lines;
    QByteArray m_rest;
    qsizetype m_longest;
    bool m_broken = false;
};

} // namespace firstwatch::stream
