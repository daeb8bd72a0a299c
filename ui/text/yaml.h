// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace firstwatch::ui {

// The same value as YAML 1.2, which readers of 1.1 read alike: a text is quoted unless it is a plain word that neither
// takes for anything else. A text of several lines stands as one, where each of its characters may be shown; otherwise
// they are escaped, as in jsonText(). With a newline at the end.
[[nodiscard]] QByteArray yamlText(const QJsonObject &json, bool hasUnicode);

// A part of such a text behind what ends with a key and its colon, or with the dash of an item: `indent` is the column
// of what stands below it.
void appendYaml(QByteArray &text, const QJsonValue &value, int indent, bool isItem, bool hasUnicode);

} // namespace firstwatch::ui
