// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"

#include <QByteArrayView>

#include <optional>

// JSON text as events with byte spans. The one place that knows RapidJSON.
namespace firstwatch::conflist {

inline constexpr int maximumDepth = 10000; // maxNestingDepth in Go's encoding/json/scanner.go

enum class Kind : quint8 { Null, Bool, Number, String, Array, Object };

// Bytes [begin, end) of the text.
struct Span {
    qsizetype begin = 0;
    qsizetype end = 0;
    [[nodiscard]] QByteArrayView of(QByteArrayView text) const { return text.sliced(begin, end - begin); }
};

class Visitor {
public:
    virtual ~Visitor() = default;
    // Spans of keys and strings include the quotes. `decoded`: escapes resolved, a lone surrogate as U+FFFD; of a
    // number its text. Views die with the call.
    virtual void key(Span span, QByteArrayView decoded) = 0;
    virtual void scalar(Kind kind, Span span, QByteArrayView decoded) = 0;
    virtual void open(Kind kind, qsizetype begin) = 0;
    virtual void close(qsizetype end) = 0;

protected:
    Visitor() = default;
    Visitor(const Visitor &) = default;
    Visitor &operator=(const Visitor &) = default;
};

// Reports all of `text` to `visitor`. Refuses what Go's encoding/json refuses when it decodes into an interface{},
// because each container runtime reads its configs with that: depth above 10 000, numbers outside float64, a BOM.
// Returns what is wrong and where; events up to that place have been delivered by then.
// One difference is kept: 0e999 is a zero to Go and refused here.
[[nodiscard]] std::optional<Finding> read(QByteArrayView text, Visitor &visitor);

} // namespace firstwatch::conflist
