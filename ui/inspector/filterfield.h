// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/filter/filter.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace firstwatch::ui {

// A line in which a filter is written, in the grammar of the command line. What is wrong with it stands below, with its
// place; meanwhile the last filter that could be understood holds.
class FilterField final : public QWidget {
    Q_OBJECT
public:
    // `example`: what may be written there.
    explicit FilterField(const QString &example, QWidget *parent = nullptr);

    [[nodiscard]] QString text() const;
    void setText(const QString &text);
    [[nodiscard]] const Filter &filter() const { return m_filter; }
    [[nodiscard]] int lineHeight() const; // of the line alone

Q_SIGNALS:
    void changed(); // the filter

protected:
    void changeEvent(QEvent *event) override;

private:
    void parse();
    void paint();

    QLineEdit *m_line;
    QLabel *m_error;
    Filter m_filter;
};

} // namespace firstwatch::ui
