// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/client.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace firstwatch::ui {

// Asks where a node is. It can only be accepted with an address that can be tried.
class ConnectDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ConnectDialog(QWidget *parent = nullptr);
    void setAddress(const QString &address);

    [[nodiscard]] const stream::Endpoint &endpoint() const { return m_endpoint; }
    [[nodiscard]] const stream::Client::Options &options() const { return m_options; }

private:
    void check();
    [[nodiscard]] bool readKey(QString &error);

    QLineEdit *m_address;
    QLineEdit *m_keyFile;
    QLabel *m_trouble;
    QDialogButtonBox *m_buttons;
    stream::Endpoint m_endpoint;
    stream::Client::Options m_options;
};

} // namespace firstwatch::ui
