// SPDX-License-Identifier: Apache-2.0
#include "conflist/config.h"

#include "conflist/collector.h"
#include "conflist/gofields.h"

#include <algorithm>
#include <optional>

namespace firstwatch::conflist {
namespace {

// Three levels in one reading: the root's members, the elements of "plugins", and the members of each of those.
class ConfigCollector final : public Visitor {
public:
    explicit ConfigCollector(Scan &root)
        : m_root(root)
    {
    }
    // Of the last array that is called "plugins".
    [[nodiscard]] const Scan &elements() const { return m_elementsScan; }
    [[nodiscard]] const QList<Scan> &objects() const { return m_objects; } // those among the elements, in order

    void key(Span span, QByteArrayView decoded) override
    {
        m_isPlugins = m_root.depth() == 1 && decoded == QByteArrayView("plugins");
        each([&](Collector &level) { level.key(span, decoded); });
    }
    void scalar(Kind kind, Span span, QByteArrayView decoded) override
    {
        each([&](Collector &level) { level.scalar(kind, span, decoded); });
    }
    void open(Kind kind, qsizetype begin) override
    {
        if (m_elements && m_elements->depth() == 1 && kind == Kind::Object && m_parts <= Scan::maximumItems)
            m_members.emplace(m_objects.emplaceBack());
        if (m_isPlugins && m_root.depth() == 1 && kind == Kind::Array)
            startElements();
        each([&](Collector &level) { level.open(kind, begin); });
    }
    void close(qsizetype end) override
    {
        each([&](Collector &level) { level.close(end); });
        if (m_members && m_members->depth() == 0) {
            m_parts += 1 + m_objects.constLast().items.size();
            m_members.reset();
        }
        if (m_elements && m_elements->depth() == 0)
            m_elements.reset();
    }

private:
    template <typename Event> void each(Event event)
    {
        event(m_root);
        if (m_elements)
            event(*m_elements);
        if (m_members)
            event(*m_members);
    }
    void startElements()
    {
        m_elementsScan = {};
        m_objects.clear();
        m_parts = 0;
        m_elements.emplace(m_elementsScan);
    }

    Collector m_root;
    Scan m_elementsScan;
    QList<Scan> m_objects;
    std::optional<Collector> m_elements; // while its value is read
    std::optional<Collector> m_members;
    bool m_isPlugins = false;
    qsizetype m_parts = 0; // elements that are objects, and their members: what bounds the memory
};

QByteArray typeOf(const QList<Item> &members)
{
    const std::vector<const Item *> decoded = throughMap(members);
    const auto type = std::find_if(decoded.crbegin(), decoded.crend(),
        [](const Item *item) { return item->kind != Kind::Null && foldsTo(item->name, "type"); });
    return type == decoded.crend() ? QByteArray() : (*type)->string;
}

void takePlugins(Config &config, const Scan &elements, const QList<Scan> &objects)
{
    qsizetype parts = elements.items.size();
    auto object = objects.cbegin();
    config.tooManyParts = config.tooManyParts || elements.truncated;
    for (const Item &element : elements.items) {
        Plugin plugin{ element.value, element.kind, {}, {} };
        if (element.kind == Kind::Object && object != objects.cend()) {
            config.tooManyParts = config.tooManyParts || object->truncated;
            plugin.members = object->items;
            plugin.type = typeOf(plugin.members);
            parts += plugin.members.size();
            ++object;
        }
        config.plugins.append(plugin);
    }
    config.tooManyParts = config.tooManyParts || parts > Scan::maximumItems;
}

} // namespace

Config readConfig(QByteArrayView text)
{
    Config config;
    ConfigCollector collector(config.root);
    config.root.fault = read(text, collector);
    config.tooManyParts = config.root.truncated;
    if (config.fault() || config.root.kind != Kind::Object)
        return config;
    const Item *plugins = lastMember(config.root.items, "plugins");
    if (plugins == nullptr)
        return config;
    config.pluginsMember = *plugins;
    if (plugins->kind == Kind::Array)
        takePlugins(config, collector.elements(), collector.objects());
    return config;
}

} // namespace firstwatch::conflist
