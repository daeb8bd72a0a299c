// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/diffhighlighter.h"

#include "ui/inspector/theme.h"

namespace firstwatch::ui {
namespace {

enum Place { Head = 0, Hunk = 1 };
constexpr int tint = 28; // of 255: behind a changed line

} // namespace

void DiffHighlighter::setPalette(const QPalette &palette)
{
    m_palette = palette;
    rehighlight();
}

// A line of a config may look like one of the head: only the place tells. Inside a hunk none begins with "#".
Role DiffHighlighter::roleOf(const QString &line)
{
    if (line.startsWith(u'#') || line.isEmpty()) {
        setCurrentBlockState(Head);
        return Role::Muted;
    }
    if (line.startsWith(QLatin1String("@@"))) {
        setCurrentBlockState(Hunk);
        return Role::Muted;
    }
    const bool isHunk = previousBlockState() == Hunk;
    setCurrentBlockState(isHunk ? Hunk : Head);
    if (!isHunk)
        return Role::Strong;
    return line.startsWith(u'+') ? Role::Good
        : line.startsWith(u'-')  ? Role::Error
        : line.startsWith(u'\\') ? Role::Muted
                                 : Role::Plain;
}

void DiffHighlighter::highlightBlock(const QString &text)
{
    const Role role = roleOf(text);
    QTextCharFormat format;
    if (role == Role::Strong)
        format.setFontWeight(QFont::DemiBold);
    else if (role != Role::Plain)
        format.setForeground(colourOf(role, m_palette));
    if (role == Role::Good || role == Role::Error) {
        QColor behind = colourOf(role, m_palette);
        behind.setAlpha(tint);
        format.setBackground(behind);
    }
    setFormat(0, int(text.size()), format);
}

} // namespace firstwatch::ui
