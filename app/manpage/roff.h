// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

// What a manual page is made of: man(7), for groff and mandoc alike.
namespace firstwatch::manpage {

// Text that shows as it is, whatever is in it.
[[nodiscard]] QString plain(const QString &text);
[[nodiscard]] QString plain(const char *utf8);
// Plain text with a capital letter at its beginning and a full stop at its end, where they are missing.
[[nodiscard]] QString sentence(const QString &text);
[[nodiscard]] QString bold(const QString &text);
// A command line: words in capitals stand for something else, the rest is to be typed.
[[nodiscard]] QString typed(const QString &text);

class Page {
public:
    // "firstwatchd", 8, "one line that says what it is"
    Page(const QString &name, int section, const QString &purpose);

    void section(const char *title);
    void subsection(const QString &title);
    // Marked-up text, of one paragraph. Ends of lines in it are spaces.
    void paragraph(const QString &text);
    // A term and what it is.
    void entry(const QString &term, const QString &text);
    // Lines that stay lines.
    void example(const QStringList &lines);
    // "firstwatchd(8)", …
    void seeAlso(const QStringList &pages);

    [[nodiscard]] const QString &text() const { return m_text; }

private:
    void line(const QString &markup);
    QString m_text;
    bool m_isFresh = false; // a heading was the last thing
};

} // namespace firstwatch::manpage
