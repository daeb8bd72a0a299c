// SPDX-License-Identifier: Apache-2.0
#include "conflist/wrap.h"

#include "conflist/render.h"
#include "conflist/style.h"

namespace firstwatch::conflist {
namespace {

// Whole lines move; blank ones have nothing to move. A string never spans lines in JSON, so none is touched.
QByteArray shifted(QByteArrayView lines, const QByteArray &indentation)
{
    QByteArray result;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        result += lines[i];
        const bool blankNext = i + 1 == lines.size() || lines[i + 1] == '\n' || lines[i + 1] == '\r';
        if (lines[i] == '\n' && !blankNext)
            result += indentation;
    }
    return result;
}

// Brackets with their items inside, `level` units in.
QByteArray bracketed(char opening, const QByteArrayList &items, char closing, const Style &style, int level)
{
    if (style.newline.isEmpty()) {
        const QByteArray padding = opening == '{' ? style.padding : QByteArray();
        return opening + padding + items.join(style.comma) + padding + closing;
    }
    const QByteArray outer = style.newline + style.base + style.unit.repeated(level);
    const QByteArray inner = outer + style.unit;
    return opening + inner + items.join(',' + inner) + outer + closing;
}

} // namespace

QByteArray wrappedAsList(QByteArrayView text, const Config &config, QByteArrayView cniVersion, QByteArrayView name,
    const QByteArrayList &elements)
{
    const Span object = config.root.value;
    const Style style = styleOf(text, object, config.root.items, {});
    const QByteArray indentation = style.unit.repeated(2);
    Style elementStyle = style;
    elementStyle.base = style.base + indentation;

    QByteArrayList plugins{ shifted(object.of(text), indentation) };
    for (const QByteArray &element : elements)
        plugins.append(rendered(element, elementStyle));
    QByteArrayList members;
    if (!cniVersion.isEmpty())
        members.append("\"cniVersion\"" + style.colon + cniVersion.toByteArray());
    members.append("\"name\"" + style.colon + name.toByteArray());
    members.append("\"plugins\"" + style.colon + bracketed('[', plugins, ']', style, 1));
    return text.first(object.begin).toByteArray() + bracketed('{', members, '}', style, 0) + text.sliced(object.end);
}

} // namespace firstwatch::conflist
