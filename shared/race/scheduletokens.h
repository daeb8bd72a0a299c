// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "race/schedule.h"

// The words of one line of a schedule.
namespace firstwatch::race {

struct Token {
    enum class Kind { Word, Quoted, Less };
    Kind kind = Kind::Word;
    QByteArray text; // of Quoted: what it means
    int column = 1; // in bytes, from 1
};

// Without comments. Nothing, and `error` but for its line, when the line cannot be divided.
[[nodiscard]] std::optional<QList<Token>> tokensOf(const QByteArray &line, ScheduleError &error);
// As it has to stand in a line: quoted where that is needed. The inverse of the above.
[[nodiscard]] QByteArray wordText(const QByteArray &text);
[[nodiscard]] QByteArray quotedText(const QByteArray &text);

// "140ms", "1.5s", "20us", "0ms" as nanoseconds, at most longestNs; nothing when it is none.
[[nodiscard]] std::optional<qint64> spanNs(QByteArrayView text);
// In the largest unit that has no fraction.
[[nodiscard]] QByteArray spanWord(qint64 ns);
// A count in 1 … `most`.
[[nodiscard]] std::optional<int> countOf(const QByteArray &text, int most);

} // namespace firstwatch::race
