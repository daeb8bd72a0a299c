// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonValue>
#include <QList>
#include <QString>

#include <functional>

namespace firstwatch::ui {

// A document that is written part by part as it is made, so that none of it need be kept. The parts together are the
// text that jsonText() or yamlText() gives of the whole, with the members in the order in which they are added.
class DocumentWriter {
public:
    enum class Form { Json, Yaml };
    using Sink = std::function<void(const QByteArray &part)>;

    DocumentWriter(Form form, bool hasUnicode, Sink sink);

    // Names are those of members, in plain letters; the document itself and what stands in a list have none.
    void beginObject(const QString &name = {});
    void beginList(const QString &name = {});
    void add(const QString &name, const QJsonValue &value);
    void append(const QJsonValue &value) { add({}, value); } // to a list
    void end(); // of what was begun last

private:
    struct Level {
        bool isList = false;
        bool isItem = false;
        bool isEmpty = true;
    };
    void begin(const QString &name, bool isList);
    [[nodiscard]] QByteArray lead(const QString &name);
    [[nodiscard]] QByteArray jsonLead(const Level &level, const QString &name) const;
    [[nodiscard]] QByteArray yamlLead(const Level &level, const QString &name) const;
    [[nodiscard]] QByteArray indent() const; // of what is in the last level
    void write(const QByteArray &part) const;

    Form m_form;
    bool m_hasUnicode;
    Sink m_sink;
    QList<Level> m_levels;
};

} // namespace firstwatch::ui
