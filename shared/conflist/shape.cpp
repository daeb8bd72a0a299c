// SPDX-License-Identifier: Apache-2.0
#include "conflist/shape.h"

#include "conflist/gofields.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

struct Shape {
    struct Field {
        QByteArrayView name;
        const Shape *shape;
    };
    Kind kind;
    const Shape *each; // of all elements or members
    QList<Field> fields; // of an object that becomes a struct
};

// PluginConf of containernetworking/cni pkg/types/types.go, v1.1.0 to v1.3.0.
const Shape &pluginShape()
{
    static const Shape text{ Kind::String, nullptr, {} };
    static const Shape flag{ Kind::Bool, nullptr, {} };
    static const Shape texts{ Kind::Array, &text, {} };
    static const Shape flags{ Kind::Object, &flag, {} };
    static const Shape anything{ Kind::Object, nullptr, {} };
    static const Shape ipam{ Kind::Object, nullptr, { { "type", &text } } };
    static const Shape dns{ Kind::Object, nullptr,
        { { "nameservers", &texts }, { "domain", &text }, { "search", &texts }, { "options", &texts } } };
    static const Shape attachment{ Kind::Object, nullptr, { { "containerID", &text }, { "ifname", &text } } };
    static const Shape attachments{ Kind::Array, &attachment, {} };
    static const Shape plugin{ Kind::Object, nullptr,
        { { "cniVersion", &text }, { "name", &text }, { "type", &text }, { "capabilities", &flags }, { "ipam", &ipam },
            { "dns", &dns }, { "prevResult", &anything }, { "cni.dev/valid-attachments", &attachments } } };
    return plugin;
}

const Shape *shapeOf(const Item &item, const Shape &parent)
{
    for (const Shape::Field &field : parent.fields) {
        if (foldsTo(item.name, field.name))
            return field.shape;
    }
    return parent.each;
}

// The path to the first value of a wrong kind; an array's element has an empty one. Four levels deep at most, as the
// shapes are.
std::optional<QByteArray> misfit(QByteArrayView text, const QList<Item> &items, const Shape &parent, Decoding decoding)
{
    const bool isMap = parent.kind == Kind::Object && decoding == Decoding::MapThenStruct;
    for (const Item *decoded : isMap ? throughMap(items) : inOrder(items)) {
        const Item &item = *decoded;
        const Shape *shape = shapeOf(item, parent);
        if (shape == nullptr || item.kind == Kind::Null)
            continue;
        if (item.kind != shape->kind)
            return item.name;
        if (shape->each == nullptr && shape->fields.isEmpty())
            continue;
        const Scan inner = scan(text, item.value);
        const std::optional<QByteArray> path = misfit(text, inner.items, *shape, decoding);
        if (path)
            return path->isEmpty() ? item.name : item.name + '.' + *path;
        if (inner.truncated)
            return item.name;
    }
    return std::nullopt;
}

} // namespace

QByteArray undecodableField(QByteArrayView text, const QList<Item> &plugin, Decoding decoding)
{
    return misfit(text, plugin, pluginShape(), decoding).value_or(QByteArray());
}

} // namespace firstwatch::conflist
