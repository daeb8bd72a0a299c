// SPDX-License-Identifier: Apache-2.0
#include "conflist/splice.h"

#include "conflist/render.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

// What stands between the last two elements. A lone element shows at least how the next line would start.
QByteArray separator(QByteArrayView text, const Config &config, const Style &style)
{
    const QList<Plugin> &plugins = config.plugins;
    const qsizetype count = plugins.size();
    if (count > 1)
        return Span{ plugins[count - 2].span.end, plugins[count - 1].span.begin }.of(text).toByteArray();
    const QByteArrayView lead = Span{ config.pluginsMember->value.begin + 1, plugins[0].span.begin }.of(text);
    const qsizetype lineEnd = lead.lastIndexOf('\n');
    if (lineEnd < 0)
        return lead.isEmpty() ? style.comma : ',' + lead.toByteArray();
    const bool carriageReturn = lineEnd > 0 && lead[lineEnd - 1] == '\r';
    return ',' + lead.sliced(carriageReturn ? lineEnd - 1 : lineEnd).toByteArray();
}

} // namespace

QByteArray edited(QByteArrayView text, const QList<Edit> &edits)
{
    QByteArray result;
    qsizetype done = 0;
    for (const Edit &edit : edits) {
        result += text.sliced(done, edit.span.begin - done) + edit.text;
        done = edit.span.end;
    }
    return result + text.sliced(done);
}

Edit removal(const QList<Plugin> &plugins, const std::vector<bool> &removed, qsizetype index)
{
    const auto end = removed.cbegin() + index;
    const bool leads = std::find(removed.cbegin(), end, false) == end;
    const Span span = plugins[index].span;
    return { leads ? Span{ span.begin, plugins[index + 1].span.begin } : Span{ plugins[index - 1].span.end, span.end },
        {} };
}

Style elementStyle(QByteArrayView text, const Config &config, const QByteArrayList &ownTypes)
{
    const auto isForeign = [&](const Plugin &plugin) { return !ownTypes.contains(plugin.type); };
    const auto isSpread = [&](const Plugin &plugin) {
        return isForeign(plugin) && plugin.span.of(text).contains('\n');
    };
    const QList<Plugin> &plugins = config.plugins;
    auto model = std::find_if(plugins.crbegin(), plugins.crend(), isSpread);
    if (model == plugins.crend())
        model = std::find_if(plugins.crbegin(), plugins.crend(), isForeign);
    if (model == plugins.crend())
        model = plugins.crbegin();
    return styleOf(text, model->span, model->members, config.root.items);
}

QByteArray appended(QByteArrayView text, const Config &config, const QByteArrayList &elements, const Style &style)
{
    QByteArray addition;
    for (const QByteArray &element : elements)
        addition += separator(text, config, style) + rendered(element, style);
    const qsizetype end = config.plugins.constLast().span.end;
    return edited(text, { { { end, end }, addition } });
}

} // namespace firstwatch::conflist
