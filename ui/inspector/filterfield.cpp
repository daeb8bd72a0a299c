// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/filterfield.h"

#include "ui/inspector/theme.h"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace firstwatch::ui {

FilterField::FilterField(const QString &example, QWidget *parent)
    : QWidget(parent)
    , m_line(new QLineEdit)
    , m_error(new QLabel)
{
    m_line->setPlaceholderText(example);
    m_line->setAccessibleName(tr("Filter"));
    m_line->setClearButtonEnabled(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setWordWrap(true);
    m_error->setAccessibleName(tr("What is wrong with the filter"));
    m_error->hide();
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(grid);
    layout->addWidget(m_line);
    layout->addWidget(m_error);
    setFocusProxy(m_line);
    connect(m_line, &QLineEdit::textChanged, this, &FilterField::parse);
    paint();
}

QString FilterField::text() const
{
    return m_line->text();
}

int FilterField::lineHeight() const
{
    return m_line->sizeHint().height();
}

void FilterField::setText(const QString &text)
{
    m_line->setText(text);
}

void FilterField::parse()
{
    Filter::Error error;
    const std::optional<Filter> filter = Filter::parse(m_line->text(), error);
    //: %1: a place in the filter, from 1; %2: what is wrong there, in English
    m_error->setText(filter ? QString() : tr("Character %1: %2.").arg(error.column).arg(error.text));
    m_error->setVisible(!filter);
    if (!filter || *filter == m_filter)
        return;
    m_filter = *filter;
    Q_EMIT changed();
}

void FilterField::paint()
{
    QPalette palette = m_error->palette();
    palette.setColor(QPalette::WindowText, colourOf(Role::Error, this->palette()));
    m_error->setPalette(palette);
}

void FilterField::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        paint();
    QWidget::changeEvent(event);
}

} // namespace firstwatch::ui
