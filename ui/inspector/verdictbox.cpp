// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/verdictbox.h"

#include "ui/inspector/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace firstwatch::ui {
namespace {

constexpr double verdictSize = 1.6;

Role roleOf(Timeline::Verdict verdict)
{
    switch (verdict) {
    case Timeline::Verdict::Proven:
        return Role::Good;
    case Timeline::Verdict::NotProven:
        return Role::Error;
    default:
        return Role::Muted;
    }
}

QString glyphOf(Timeline::Verdict verdict)
{
    switch (verdict) {
    case Timeline::Verdict::Proven:
        return QStringLiteral("✔ ");
    case Timeline::Verdict::NotProven:
        return QStringLiteral("✘ ");
    default:
        return {};
    }
}

void paintText(QLabel *label, const QColor &colour)
{
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
}

} // namespace

VerdictBox::VerdictBox(QWidget *parent)
    : QFrame(parent)
    , m_margin(new QLabel(this))
    , m_verdict(new QLabel(this))
    , m_sentence(new QLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Verdict"));
    QFont large = sized(font(), verdictSize);
    large.setBold(true);
    m_margin->setFont(large);
    m_verdict->setFont(large);
    m_sentence->setWordWrap(true);
    auto *line = new QHBoxLayout;
    line->setSpacing(4 * grid);
    line->addWidget(m_margin);
    line->addWidget(m_verdict);
    line->addStretch();
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(4 * grid, 3 * grid, 4 * grid, 3 * grid);
    all->addLayout(line);
    all->addWidget(m_sentence);
}

void VerdictBox::setTimeline(const Timeline &timeline)
{
    m_is = timeline.verdict;
    m_margin->setText(marginTitle(timeline));
    m_verdict->setText(glyphOf(m_is) + verdictWord(m_is));
    m_sentence->setText(timeline.sentence);
    setAccessibleDescription(
        marginTitle(timeline) + QStringLiteral(", ") + verdictWord(m_is) + QStringLiteral(". ") + timeline.sentence);
    colour();
}

void VerdictBox::colour()
{
    const QColor colour = colourOf(roleOf(m_is), QFrame::palette());
    paintText(m_margin, colour);
    paintText(m_verdict, colour);
    paintText(m_sentence, colourOf(Role::Plain, QFrame::palette()));
}

void VerdictBox::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colour();
}

} // namespace firstwatch::ui
