// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/overviewpage.h"

#include "ui/inspector/theme.h"
#include "ui/models/filemodel.h"
#include "ui/text/nodepage.h"
#include "ui/text/units.h"

#include <QClipboard>
#include <QEvent>
#include <QFormLayout>
#include <QFrame>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

namespace firstwatch::ui {
namespace {

constexpr double verdictSize = 1.6;
constexpr double sectionSize = 1.15;

QLabel *section(const QString &title, QWidget *parent)
{
    auto *label = new QLabel(title, parent);
    QFont font = sized(label->font(), sectionSize);
    font.setBold(true);
    label->setFont(font);
    return label;
}

QLabel *readable(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

constexpr char roleProperty[] = "firstwatchRole"; // of a label whose colour says something

// In whatever theme comes: OverviewPage::colour() paints it.
void setRole(QLabel *label, Role role)
{
    label->setProperty(roleProperty, int(role));
}

void empty(QLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QTableView *tableOf(QAbstractItemModel *model, QWidget *parent)
{
    auto *table = new QTableView(parent);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setAccessibleName(OverviewPage::tr("Config files of the node"));
    return table;
}

} // namespace

OverviewPage::OverviewPage(QWidget *parent)
    : QWidget(parent)
    , m_word(new QLabel(this))
    , m_meaning(readable({}, this))
    , m_findings(new QVBoxLayout)
    , m_facts(new QFormLayout)
    , m_files(new FileModel(this))
    , m_fileTable(tableOf(m_files, this))
    , m_noFiles(readable(tr("Waiting for the primary CNI. There is no config file on the node yet."), this))
{
    QFont large = sized(font(), verdictSize);
    large.setBold(true);
    m_word->setFont(large);
    m_facts->setHorizontalSpacing(6 * grid);
    m_facts->setVerticalSpacing(2 * grid);
    m_findings->setSpacing(2 * grid);

    auto *inner = new QWidget;
    auto *page = new QVBoxLayout(inner);
    page->setContentsMargins(4 * grid, 4 * grid, 4 * grid, 4 * grid);
    page->setSpacing(2 * grid);
    page->addWidget(m_word);
    page->addWidget(m_meaning);
    page->addLayout(m_findings);
    page->addSpacing(2 * grid);
    page->addWidget(section(tr("Node"), inner));
    page->addLayout(m_facts);
    page->addSpacing(2 * grid);
    page->addWidget(section(tr("Files"), inner));
    page->addWidget(m_noFiles);
    page->addWidget(m_fileTable, 1);

    auto *scroll = new QScrollArea(this);
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Overview"));
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
}

void OverviewPage::setNode(const Node &node)
{
    showState(node);
    showFindings(node);
    showFacts(node);
    colour();
    m_files->setNode(node);
    m_fileTable->resizeColumnsToContents();
    const bool hasFiles = m_files->rowCount() > 0;
    m_fileTable->setVisible(hasFiles);
    m_noFiles->setVisible(!hasFiles);
}

void OverviewPage::showState(const Node &node)
{
    const journal::State state = node.word();
    setRole(m_word, roleOf(state));
    m_word->setText(glyphOf(Look{}, state) + u' ' + journal::stateWord(state));
    const QString meaning = stateMeaning(state);
    m_meaning->setText(node.isReached() ? meaning.left(1).toUpper() + meaning.mid(1)
                                        : QStringLiteral("FW%1 %2").arg(node.troubleCode).arg(node.trouble));
}

void OverviewPage::showFacts(const Node &node)
{
    const QList<NodeFact> facts = nodeFacts(node);
    while (m_facts->rowCount() > int(facts.size()))
        m_facts->removeRow(m_facts->rowCount() - 1);
    for (int row = 0; row < int(facts.size()); ++row) {
        if (row == m_facts->rowCount())
            m_facts->addRow(readable({}, this), readable({}, this));
        auto *label = qobject_cast<QLabel *>(m_facts->itemAt(row, QFormLayout::LabelRole)->widget());
        auto *field = qobject_cast<QLabel *>(m_facts->itemAt(row, QFormLayout::FieldRole)->widget());
        label->setText(facts[row].label);
        field->setText(facts[row].text);
        field->setAccessibleName(facts[row].label);
        setRole(label, Role::Muted);
    }
}

void OverviewPage::showFindings(const Node &node)
{
    QString shown;
    for (const journal::NodeState::OpenFinding &finding : node.view.state.findings())
        shown += QStringLiteral("%1 %2 %3\n").arg(finding.code).arg(finding.file, finding.text);
    if (shown == m_shownFindings)
        return;
    m_shownFindings = shown;
    empty(m_findings);
    for (const journal::NodeState::OpenFinding &finding : node.view.state.findings())
        m_findings->addWidget(findingCard(node, finding));
}

// What happened, what it means for pods, and the command that helps.
QWidget *OverviewPage::findingCard(const Node &node, const journal::NodeState::OpenFinding &finding)
{
    auto *card = new QFrame(this);
    card->setFrameShape(QFrame::StyledPanel);
    card->setAccessibleName(tr("Finding FW%1").arg(finding.code));
    auto *lines = new QVBoxLayout(card);
    lines->setContentsMargins(3 * grid, 2 * grid, 3 * grid, 2 * grid);
    lines->setSpacing(grid);
    const QString age = ageText(node.nowNs - finding.sinceNs);
    auto *title =
        readable(finding.file.isEmpty() ? tr("FW%1, for %2").arg(QString::number(finding.code), age)
                                        : tr("FW%1 %2, for %3").arg(QString::number(finding.code), finding.file, age),
            card);
    QFont strong = title->font();
    strong.setBold(true);
    title->setFont(strong);
    setRole(title, roleOf(ui::severityOf(finding)));
    lines->addWidget(title);
    lines->addWidget(readable(finding.text, card));
    const journal::CodeEntry *entry = journal::codeEntry(finding.code);
    if (entry == nullptr)
        return card;
    lines->addWidget(readable(QString::fromUtf8(entry->meaning), card));
    const QString next = QString::fromUtf8(entry->next);
    auto *row = new QHBoxLayout;
    auto *advice = readable(QStringLiteral("→ ") + next, card);
    auto *copy = new QPushButton(tr("Copy"), card);
    copy->setAccessibleName(tr("Copy what can be done about FW%1").arg(finding.code));
    connect(copy, &QPushButton::clicked, this, [next] { QGuiApplication::clipboard()->setText(next); });
    row->addWidget(advice, 1);
    row->addWidget(copy, 0, Qt::AlignTop);
    lines->addLayout(row);
    return card;
}

void OverviewPage::colour()
{
    for (QLabel *label : findChildren<QLabel *>()) {
        const QVariant role = label->property(roleProperty);
        if (!role.isValid())
            continue;
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, colourOf(Role(role.toInt()), palette()));
        label->setPalette(colours);
    }
}

void OverviewPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colour();
}

} // namespace firstwatch::ui
