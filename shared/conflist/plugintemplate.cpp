// SPDX-License-Identifier: Apache-2.0
#include "conflist/gofields.h"
#include "conflist/plan.h"
#include "conflist/shape.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

constexpr qsizetype maximumSize = 64LL * 1024;
constexpr int maximumTemplateDepth = 100;
constexpr char kubeconfigPlaceholder[] = "__KUBECONFIG_FILEPATH__";

bool isTypeCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'
        || c == '-';
}

// A type becomes a file name in the bin dir.
bool isPluginType(const QByteArray &type)
{
    return !type.isEmpty() && type != "." && type != ".." && std::all_of(type.begin(), type.end(), isTypeCharacter);
}

QString typeError(const QList<Item> &members)
{
    const auto isType = [](const Item &item) { return foldsTo(item.name, "type"); };
    const auto count = std::count_if(members.begin(), members.end(), isType);
    if (count == 0)
        return QStringLiteral("The template has no 'type'; name the plugin's binary there.");
    const auto type = std::find_if(members.begin(), members.end(), isType);
    if (count > 1 || type->name != "type")
        return QStringLiteral("The template must have 'type' once, in lower case.");
    if (type->kind != Kind::String || !isPluginType(type->string))
        return QStringLiteral("The template's 'type' must be a string of letters, digits, '_', '.' and '-'.");
    return {};
}

bool isPlaceholderCharacter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The first __NAME__ that nobody here can fill in, or empty.
QByteArray unknownPlaceholder(const QByteArray &text)
{
    qsizetype end = 0;
    for (qsizetype start = text.indexOf("__"); start >= 0; start = text.indexOf("__", end)) {
        end = std::find_if_not(text.begin() + start, text.end(), isPlaceholderCharacter) - text.begin();
        const QByteArray token = text.sliced(start, end - start);
        if (token.size() > 4 && token.endsWith("__") && token != kubeconfigPlaceholder)
            return token;
    }
    return {};
}

QByteArray escapedForJson(const QByteArray &bytes)
{
    QByteArray result;
    for (const char c : bytes) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (quint8(c) < 0x20)
            result += "\\u00" + QByteArray(1, c).toHex();
        else
            result += c;
    }
    return result;
}

QString objectError(const QByteArray &text, const Scan &object)
{
    if (object.fault)
        return QStringLiteral("The template is not JSON. %1").arg(object.fault->text);
    if (object.kind != Kind::Object)
        return QStringLiteral("The template must be a JSON object with a 'type'.");
    if (text.size() > maximumSize || object.truncated || object.depth > maximumTemplateDepth)
        return QStringLiteral("The template is larger than %1 bytes or nested deeper than %2; no plugin's config is.")
            .arg(maximumSize)
            .arg(maximumTemplateDepth);
    const QByteArray field = undecodableField(text, object.items, Decoding::Struct);
    if (!field.isEmpty() && field != "type")
        return QStringLiteral("The template's '%1' has a type that no container runtime accepts.")
            .arg(QString::fromUtf8(field));
    return typeError(object.items);
}

} // namespace

std::optional<PluginTemplate> PluginTemplate::parse(
    const QByteArray &text, const QByteArray &kubeconfigPath, Error &error)
{
    const Scan object = scan(text);
    error.text = objectError(text, object);
    if (!error.text.isEmpty())
        return std::nullopt;
    const QByteArray unknown = unknownPlaceholder(text);
    if (!unknown.isEmpty()) {
        error.text = QStringLiteral("The template has the unknown placeholder %1; only %2 is filled in.")
                         .arg(QString::fromLatin1(unknown), QLatin1String(kubeconfigPlaceholder));
        return std::nullopt;
    }
    PluginTemplate plugin;
    plugin.m_type = lastMember(object.items, "type")->string;
    plugin.m_text = object.value.of(text).toByteArray().replace(kubeconfigPlaceholder, escapedForJson(kubeconfigPath));
    return plugin;
}

} // namespace firstwatch::conflist
