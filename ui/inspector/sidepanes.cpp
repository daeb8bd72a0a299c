// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/sidepanes.h"

#include "ui/inspector/theme.h"
#include "ui/text/look.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace firstwatch::ui {

using Kind = SideLine::Kind;
using Side = SideLine::Side;

namespace {

constexpr int lineTint = 28; // of 255: behind a changed line
constexpr int wordTint = 80; // behind what differs in it

// Each tab as the columns that it takes, so that places in the text are places on the screen.
QString shownLine(const Side &side)
{
    return shown({}, QString(side.text).replace(u'\t', QLatin1String("    ")));
}

QString numberText(int number, int width)
{
    return number == 0 ? QString(width, u' ') : QString::number(number).rightJustified(width);
}

int numberWidth(const QList<SideLine> &lines)
{
    int most = 0;
    for (const SideLine &line : lines)
        most = std::max({ most, line.left.number, line.right.number });
    return int(QString::number(most).size());
}

QString textOf(const QList<SideLine> &lines, Side SideLine::*side)
{
    const int width = numberWidth(lines);
    QStringList all;
    for (const SideLine &line : lines)
        all += numberText((line.*side).number, width) + QStringLiteral("  ") + shownLine(line.*side);
    return all.join(u'\n');
}

// A line that is there on the other side only.
bool isMissing(const SideLine &line, const Side &side)
{
    return line.kind == Kind::Changed && side.number == 0;
}

QTextEdit::ExtraSelection painted(const QTextBlock &block, const QColor &colour, int tint)
{
    QTextEdit::ExtraSelection line;
    QColor behind = colour;
    behind.setAlpha(tint);
    line.cursor = QTextCursor(block);
    line.format.setBackground(behind);
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    return line;
}

} // namespace

SidePanes::SidePanes(QWidget *parent)
    : QWidget(parent)
    , m_left(pane(tr("Before")))
    , m_right(pane(tr("After")))
{
    auto *const layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(grid);
    layout->addWidget(m_left);
    layout->addWidget(m_right);
    for (const auto &[from, to] : { std::pair(m_left, m_right), std::pair(m_right, m_left) }) {
        connect(from->verticalScrollBar(), &QScrollBar::valueChanged, to->verticalScrollBar(), &QScrollBar::setValue);
        connect(
            from->horizontalScrollBar(), &QScrollBar::valueChanged, to->horizontalScrollBar(), &QScrollBar::setValue);
    }
}

QPlainTextEdit *SidePanes::pane(const QString &name)
{
    auto *const made = new QPlainTextEdit;
    made->setReadOnly(true);
    made->setLineWrapMode(QPlainTextEdit::NoWrap);
    made->setFont(fixedFont());
    made->setAccessibleName(name);
    made->setTabChangesFocus(true);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return made;
}

void SidePanes::setLines(const QList<SideLine> &lines)
{
    if (lines == m_lines)
        return;
    m_lines = lines;
    m_left->setPlainText(textOf(lines, &SideLine::left));
    m_right->setPlainText(textOf(lines, &SideLine::right));
    paint();
}

void SidePanes::paint()
{
    colour(m_left, &SideLine::left, true);
    colour(m_right, &SideLine::right, false);
}

void SidePanes::colour(QPlainTextEdit *pane, Side SideLine::*side, bool isLeft)
{
    const QColor changed = colourOf(isLeft ? Role::Error : Role::Good, palette());
    const QColor missing = colourOf(Role::Muted, palette());
    const int before = numberWidth(m_lines) + 2;
    QList<QTextEdit::ExtraSelection> all;
    QTextBlock block = pane->document()->firstBlock();
    for (const SideLine &line : std::as_const(m_lines)) {
        const Side &own = line.*side;
        if (line.kind != Kind::Same)
            all.append(painted(block, line.kind == Kind::Place || isMissing(line, own) ? missing : changed, lineTint));
        if (line.kind == Kind::Changed && own.size > 0 && own.size < own.text.size()) {
            const auto columnsOf = [&](qsizetype size) {
                return int(shownLine({ own.text.left(size), 0, 0, 0 }).size());
            };
            QTextEdit::ExtraSelection words = painted(block, changed, wordTint);
            words.format.clearProperty(QTextFormat::FullWidthSelection);
            words.cursor.setPosition(block.position() + before + columnsOf(own.from));
            words.cursor.setPosition(
                block.position() + before + columnsOf(own.from + own.size), QTextCursor::KeepAnchor);
            all.append(words);
        }
        block = block.next();
    }
    pane->setExtraSelections(all);
}

void SidePanes::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        paint();
    QWidget::changeEvent(event);
}

} // namespace firstwatch::ui
