// SPDX-License-Identifier: Apache-2.0
#include "conflist/gofields.h"

#include <QSet>
#include <QString>
#include <QStringDecoder>

#include <algorithm>

namespace firstwatch::conflist {
namespace {

template <typename Match> const Item *lastOf(const QList<Item> &members, Match match)
{
    const auto found = std::find_if(members.crbegin(), members.crend(), match);
    return found == members.crend() ? nullptr : &*found;
}

} // namespace

const Item *lastMember(const QList<Item> &members, QByteArrayView name)
{
    return lastOf(members, [name](const Item &item) { return item.name == name; });
}

bool foldsTo(const QByteArray &name, QByteArrayView field)
{
    // All but a few exotic keys are decided here: what folds to ASCII from elsewhere is longer in UTF-8.
    if (name.size() <= field.size())
        return name.size() == field.size() && qstrnicmp(name.constData(), name.size(), field.data(), field.size()) == 0;
    if (std::all_of(name.cbegin(), name.cend(), [](char c) { return uchar(c) < 0x80; }))
        return false;
    // Unicode folding, not ASCII: U+017F is an 's' to Go. QString::fromUtf8() would drop a leading U+FEFF.
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom);
    const QString decoded = decoder(name);
    return decoded.compare(QLatin1String(field), Qt::CaseInsensitive) == 0;
}

const Item *structField(const QList<Item> &members, QByteArrayView name)
{
    return lastOf(members, [name](const Item &item) { return item.kind != Kind::Null && foldsTo(item.name, name); });
}

std::vector<const Item *> inOrder(const QList<Item> &members)
{
    std::vector<const Item *> all;
    all.reserve(size_t(members.size()));
    for (const Item &item : members)
        all.push_back(&item);
    return all;
}

std::vector<const Item *> throughMap(const QList<Item> &members)
{
    std::vector<const Item *> sorted = inOrder(members);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Item *a, const Item *b) { return a->name < b->name; });
    // The last of a key stays: seen from the end it is the first.
    const auto from =
        std::unique(sorted.rbegin(), sorted.rend(), [](const Item *a, const Item *b) { return a->name == b->name; });
    sorted.erase(sorted.begin(), from.base());
    return sorted;
}

const Item *repeatedMember(const QList<Item> &members)
{
    QSet<QByteArray> seen;
    for (const Item &item : members) {
        if (seen.contains(item.name))
            return &item;
        seen.insert(item.name);
    }
    return nullptr;
}

} // namespace firstwatch::conflist
