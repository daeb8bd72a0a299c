// SPDX-License-Identifier: Apache-2.0
#include "conflist/mentions.h"

#include "conflist/reader.h"

#include <functional>

namespace firstwatch::conflist {
namespace {

// Looks for one string value: its key (empty in an array), the value, and how many brackets are around it.
class StringFinder final : public Visitor {
public:
    using Match = std::function<bool(QByteArrayView key, QByteArrayView value, int depth)>;
    explicit StringFinder(Match match)
        : m_match(std::move(match))
    {
    }
    [[nodiscard]] bool found() const { return m_found; }

    void key(Span, QByteArrayView decoded) override { m_key = decoded.toByteArray(); }
    void scalar(Kind kind, Span, QByteArrayView decoded) override
    {
        m_found = m_found || (kind == Kind::String && m_match(m_key, decoded, m_depth));
        m_key.clear();
    }
    void open(Kind, qsizetype) override
    {
        ++m_depth;
        m_key.clear();
    }
    void close(qsizetype) override { --m_depth; }

private:
    Match m_match;
    QByteArray m_key;
    int m_depth = 0;
    bool m_found = false;
};

bool holds(QByteArrayView text, StringFinder::Match match)
{
    StringFinder finder(std::move(match));
    // A text that does not parse counts as far as it goes.
    [[maybe_unused]] const std::optional<Finding> fault = read(text, finder);
    return finder.found();
}

} // namespace

bool refersToFile(const QByteArray &text, const QByteArray &fileName)
{
    if (!text.contains(fileName) && !text.contains('\\')) // only an escape could still hide it
        return false;
    return holds(text, [&](QByteArrayView, QByteArrayView value, int) {
        return value.sliced(value.lastIndexOf('/') + 1) == fileName;
    });
}

bool nestsType(QByteArrayView object, const QByteArrayList &types)
{
    return holds(object, [&](QByteArrayView key, QByteArrayView value, int depth) {
        return depth > 1 && key == QByteArrayView("type") && types.contains(value.toByteArray());
    });
}

} // namespace firstwatch::conflist
