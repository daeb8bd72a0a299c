// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/connectdialog.h"

#include "ui/inspector/theme.h"
#include "ui/session/livenode.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace firstwatch::ui {
namespace {

constexpr char usualSocket[] = "/run/firstwatch/stream.sock";

// A path is a socket; anything else has to be host:port.
std::optional<stream::Endpoint> endpointOf(const QString &address)
{
    if (!address.startsWith(u'/'))
        return stream::tcpEndpoint(address);
    stream::Endpoint endpoint;
    endpoint.path = address;
    return endpoint;
}

} // namespace

ConnectDialog::ConnectDialog(QWidget *parent)
    : QDialog(parent)
    , m_address(new QLineEdit(QString::fromLatin1(usualSocket), this))
    , m_keyFile(new QLineEdit(this))
    , m_trouble(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Connect to a node"));
    m_options.name = QStringLiteral("firstwatch/" FIRSTWATCH_VERSION " inspector");
    m_address->setAccessibleName(tr("Address"));
    m_address->setMinimumWidth(m_address->fontMetrics().averageCharWidth() * 48);
    m_keyFile->setAccessibleName(tr("Key file"));
    m_keyFile->setPlaceholderText(tr("only for host:port"));
    m_trouble->setWordWrap(true);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Connect"));
    auto *form = new QFormLayout(this);
    form->setContentsMargins(4 * grid, 4 * grid, 4 * grid, 4 * grid);
    form->addRow(tr("Address"), m_address);
    form->addRow(tr("Key file"), m_keyFile);
    form->addRow(new QLabel(tr("The path of the node's socket, or host:port of a forwarded port, for instance of\n"
                               "kubectl -n firstwatch port-forward POD 9911 (then it is 127.0.0.1:9911)."),
        this));
    form->addRow(m_trouble);
    form->addRow(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::check);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ConnectDialog::setAddress(const QString &address)
{
    m_address->setText(address);
}

void ConnectDialog::check()
{
    const std::optional<stream::Endpoint> endpoint = endpointOf(m_address->text().trimmed());
    if (!endpoint)
        return m_trouble->setText(tr("'%1' is neither an absolute path nor host:port.").arg(m_address->text()));
    m_endpoint = *endpoint;
    QString error;
    if (!readKey(error))
        return m_trouble->setText(error);
    accept();
}

bool ConnectDialog::readKey(QString &error)
{
    m_options.key.clear();
    if (m_keyFile->text().isEmpty())
        return true;
    const std::optional<QByteArray> key = keyFromFile(QFile::encodeName(m_keyFile->text()), error);
    m_options.key = key.value_or(QByteArray());
    return key.has_value();
}

} // namespace firstwatch::ui
