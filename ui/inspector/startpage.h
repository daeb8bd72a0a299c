// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace firstwatch::ui {

// What is shown when nothing is: what can be done, and that nothing of it needs a cluster but one.
class StartPage final : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget *parent = nullptr);

Q_SIGNALS:
    void openAsked();
    void connectAsked();
    void demoAsked();
};

} // namespace firstwatch::ui
