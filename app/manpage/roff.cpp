// SPDX-License-Identifier: Apache-2.0
#include "app/manpage/roff.h"

#include <algorithm>

namespace firstwatch::manpage {
namespace {

constexpr char version[] = "Firstwatch " FIRSTWATCH_VERSION;

bool isPlaceholder(const QString &word)
{
    return word.size() > 1 && word.front().isLetter()
        && std::all_of(word.begin(), word.end(), [](QChar c) { return c.isUpper() || c.isDigit() || c == u'_'; });
}

} // namespace

QString plain(const QString &text)
{
    QString escaped = text;
    escaped.replace(u'\\', QLatin1String("\\e")).replace(u'-', QLatin1String("\\-"));
    // A straight quote would become a curly one, and these are typed into shells.
    escaped.replace(u'\'', QLatin1String("\\(aq")).replace(u'`', QLatin1String("\\(ga"));
    return escaped.replace(u'^', QLatin1String("\\(ha")).replace(u'~', QLatin1String("\\(ti"));
}

QString plain(const char *utf8)
{
    return plain(QString::fromUtf8(utf8));
}

QString sentence(const QString &text)
{
    QString whole = text;
    whole.replace(0, 1, text.left(1).toUpper());
    if (!text.endsWith(u'.') && !text.endsWith(u'?'))
        whole += u'.';
    return plain(whole);
}

QString bold(const QString &text)
{
    return QLatin1String("\\fB") + plain(text) + QLatin1String("\\fR");
}

QString typed(const QString &text)
{
    QString markup;
    QString word;
    const auto close = [&] {
        if (!word.isEmpty())
            markup += isPlaceholder(word) ? QStringLiteral("\\fI") + plain(word) + QStringLiteral("\\fR") : bold(word);
        word.clear();
    };
    for (const QChar c : text) {
        if (QStringView(u" ,[]|=:…").contains(c)) {
            close();
            markup += c;
        } else {
            word += c;
        }
    }
    close();
    return markup;
}

Page::Page(const QString &name, int section, const QString &purpose)
{
    line(QStringLiteral(".\\\" Made from the tables of the program: see app/manpage."));
    line(QStringLiteral(".TH %1 %2 %3 \"%4\"")
             .arg(name.toUpper())
             .arg(section)
             .arg(QLatin1String(MANPAGE_DATE), QLatin1String(version)));
    line(QStringLiteral(".nh\n.ad l")); // words that are typed are not cut, nor is space put into them
    this->section("NAME");
    paragraph(plain(name) + QLatin1String(" \\- ") + purpose);
}

void Page::section(const char *title)
{
    line(QLatin1String(".SH ") + QLatin1String(title));
    m_isFresh = true;
}

void Page::subsection(const QString &title)
{
    line(QLatin1String(".SS ") + plain(title));
    m_isFresh = true;
}

void Page::paragraph(const QString &text)
{
    if (!std::exchange(m_isFresh, false))
        line(QStringLiteral(".PP"));
    line(text);
}

void Page::entry(const QString &term, const QString &text)
{
    m_isFresh = false;
    line(QStringLiteral(".TP"));
    line(term);
    line(text);
}

void Page::example(const QStringList &lines)
{
    if (!std::exchange(m_isFresh, false))
        line(QStringLiteral(".PP"));
    line(QStringLiteral(".EX"));
    for (const QString &each : lines)
        line(plain(each));
    line(QStringLiteral(".EE"));
}

void Page::seeAlso(const QStringList &pages)
{
    section("SEE ALSO");
    QStringList all;
    for (const QString &page : pages)
        all += bold(page.section(u'(', 0, 0)) + u'(' + page.section(u'(', 1);
    paragraph(all.join(QStringLiteral(",\n")));
}

// A request ends with its line; text that begins like one is protected.
void Page::line(const QString &markup)
{
    QString text = markup.trimmed();
    text.replace(QLatin1String("\n'"), QLatin1String("\n\\&'"));
    m_text += text + u'\n';
}

} // namespace firstwatch::manpage
