// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/startpage.h"

#include "ui/inspector/theme.h"

#include <QCommandLinkButton>
#include <QLabel>
#include <QVBoxLayout>

namespace firstwatch::ui {
namespace {

constexpr double titleSize = 1.6;

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent)
{
    auto *title = new QLabel(tr("Was the watch proven before the first pass?"), this);
    QFont large = sized(font(), titleSize);
    large.setBold(true);
    title->setFont(large);
    auto *how = new QLabel(
        tr("Open a recording, follow a node, or see the race in the demo. A recording can also be dropped on this "
           "window. Nothing leaves this machine."),
        this);
    how->setWordWrap(true);
    auto *open = new QCommandLinkButton(
        tr("Open a recording"), tr("A capture (.fwz), a history file, or a log of the service"), this);
    auto *node = new QCommandLinkButton(
        tr("Connect to a node"), tr("Its socket, or the address of a port that is forwarded to it"), this);
    auto *demo = new QCommandLinkButton(
        tr("Show the demo"), tr("The race that broke nodes, and the same schedule under Firstwatch"), this);
    connect(open, &QAbstractButton::clicked, this, &StartPage::openAsked);
    connect(node, &QAbstractButton::clicked, this, &StartPage::connectAsked);
    connect(demo, &QAbstractButton::clicked, this, &StartPage::demoAsked);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(12 * grid, 12 * grid, 12 * grid, 12 * grid);
    all->setSpacing(2 * grid);
    all->addStretch(1);
    for (QWidget *each : std::initializer_list<QWidget *>{ title, how, open, node, demo })
        all->addWidget(each);
    all->addStretch(2);
}

} // namespace firstwatch::ui
