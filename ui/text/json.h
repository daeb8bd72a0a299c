// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/documentwriter.h"
#include "ui/text/node.h"

#include <QJsonObject>

// What scripts read: within "firstwatch/v1" names are added and never taken away or given another meaning. Spans of
// time are integers that end in _ns or _us, moments RFC 3339 in UTC.
namespace firstwatch::ui {

// {"schema":"firstwatch/v1", name: value}
[[nodiscard]] QJsonObject document(const QString &name, const QJsonValue &value);
// The same, part by part: what stands between the two are the members of the value.
void beginDocument(DocumentWriter &writer, const QString &name);
void endDocument(DocumentWriter &writer);
// With a newline, and with every character escaped that a terminal would obey or that is not plain text; without
// Unicode every other that is not ASCII too. The same value in any case.
[[nodiscard]] QByteArray jsonText(const QJsonObject &json, bool hasUnicode, bool isIndented = true);
[[nodiscard]] QByteArray safeJson(const QByteArray &json, bool hasUnicode);

// One row of `status`: what a node is at this moment.
[[nodiscard]] QJsonObject nodeJson(const Node &node);
[[nodiscard]] QJsonObject findingJson(const Node &node, const journal::NodeState::OpenFinding &finding);
// The event with its name of a kind and its fields flat beside it, as its own line has them.
[[nodiscard]] QJsonObject eventJson(const journal::Event &event);

} // namespace firstwatch::ui
