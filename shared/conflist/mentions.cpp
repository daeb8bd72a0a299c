// SPDX-License-Identifier: Apache-2.0
#include "conflist/mentions.h"

#include "conflist/plan.h"
#include "conflist/reader.h"

#include <functional>

namespace firstwatch::conflist {
namespace {

// Tells each string value: its key (empty in an array), the value, and how many brackets are around it.
class StringFinder final : public Visitor {
public:
    using Tell = std::function<void(QByteArrayView key, QByteArrayView value, int depth)>;
    explicit StringFinder(Tell tell)
        : m_tell(std::move(tell))
    {
    }

    void key(Span, QByteArrayView decoded) override { m_key = decoded.toByteArray(); }
    void scalar(Kind kind, Span, QByteArrayView decoded) override
    {
        if (kind == Kind::String)
            m_tell(m_key, decoded, m_depth);
        m_key.clear();
    }
    void open(Kind, qsizetype) override
    {
        ++m_depth;
        m_key.clear();
    }
    void close(qsizetype) override { --m_depth; }

private:
    Tell m_tell;
    QByteArray m_key;
    int m_depth = 0;
};

// A text that does not parse counts as far as it goes.
void eachString(QByteArrayView text, StringFinder::Tell tell)
{
    StringFinder finder(std::move(tell));
    [[maybe_unused]] const std::optional<Finding> fault = read(text, finder);
}

// Only an escape could still hide one.
bool mayNameConfigs(const QByteArray &text)
{
    return text.contains(".conf") || text.contains(".json") || text.contains('\\');
}

} // namespace

QByteArrayList namedConfigs(const QByteArray &text)
{
    QByteArrayList names;
    if (!mayNameConfigs(text))
        return names;
    eachString(text, [&names](QByteArrayView, QByteArrayView value, int) {
        const QByteArray name = value.sliced(value.lastIndexOf('/') + 1).toByteArray();
        if (isConfigName(name))
            names.append(name);
    });
    return names;
}

bool nestsType(QByteArrayView object, const QByteArrayList &types)
{
    bool isFound = false;
    eachString(object, [&](QByteArrayView key, QByteArrayView value, int depth) {
        isFound = isFound || (depth > 1 && key == QByteArrayView("type") && types.contains(value.toByteArray()));
    });
    return isFound;
}

} // namespace firstwatch::conflist
