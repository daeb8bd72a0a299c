// SPDX-License-Identifier: Apache-2.0
#include "conflist/render.h"

#include <utility>

namespace firstwatch::conflist {
namespace {

class Renderer final : public Visitor {
public:
    Renderer(QByteArrayView text, const Style &style)
        : m_text(text)
        , m_style(style)
    {
    }
    [[nodiscard]] const QByteArray &result() const { return m_result; }

    void key(Span span, QByteArrayView) override
    {
        startItem();
        m_result += span.of(m_text) + m_style.colon;
        m_afterKey = true;
    }
    void scalar(Kind, Span span, QByteArrayView) override
    {
        startValue();
        m_result += span.of(m_text);
    }
    void open(Kind kind, qsizetype begin) override
    {
        startValue();
        m_levels.append({ kind, !m_style.newline.isEmpty() && (kind == Kind::Object || holdsBrackets(begin)), true });
        m_result += kind == Kind::Object ? '{' : '[';
    }
    void close(qsizetype) override
    {
        const Level level = m_levels.takeLast();
        if (!level.isEmpty && level.spread)
            breakLine();
        else if (!level.isEmpty && level.kind == Kind::Object)
            m_result += m_style.padding;
        m_result += level.kind == Kind::Object ? '}' : ']';
    }

private:
    struct Level {
        Kind kind;
        bool spread; // one item a line
        bool isEmpty;
    };

    // A list of plain values stays on its line.
    [[nodiscard]] bool holdsBrackets(qsizetype begin) const
    {
        bool inString = false;
        for (qsizetype i = begin + 1; i < m_text.size(); ++i) {
            const char c = m_text[i];
            if (inString && c == '\\')
                ++i;
            else if (c == '"')
                inString = !inString;
            else if (!inString && (c == '{' || c == '['))
                return true;
            else if (!inString && c == ']')
                return false;
        }
        return false;
    }
    void breakLine()
    {
        m_result += m_style.newline + m_style.base;
        for (qsizetype i = 0; i < m_levels.size(); ++i)
            m_result += m_style.unit;
    }
    void startValue()
    {
        if (!std::exchange(m_afterKey, false) && !m_levels.isEmpty())
            startItem();
    }
    void startItem()
    {
        Level &level = m_levels.last();
        const bool first = std::exchange(level.isEmpty, false);
        if (level.spread) {
            m_result += first ? "" : ",";
            breakLine();
        } else if (!first) {
            m_result += m_style.comma;
        } else if (level.kind == Kind::Object) {
            m_result += m_style.padding;
        }
    }

    QByteArrayView m_text;
    const Style &m_style;
    QByteArray m_result;
    QList<Level> m_levels;
    bool m_afterKey = false;
};

} // namespace

QByteArray rendered(QByteArrayView json, const Style &style)
{
    Renderer renderer(json, style);
    // What parses is laid out; a template has been read before.
    [[maybe_unused]] const std::optional<Finding> fault = read(json, renderer);
    return renderer.result();
}

} // namespace firstwatch::conflist
