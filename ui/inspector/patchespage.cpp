// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/patchespage.h"

#include "ui/inspector/celldelegate.h"
#include "ui/inspector/diffhighlighter.h"
#include "ui/inspector/sidepanes.h"
#include "ui/inspector/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

namespace firstwatch::ui {

PatchesPage::PatchesPage(QWidget *parent)
    : QWidget(parent)
    , m_table(new QTableView)
    , m_empty(new QLabel)
    , m_ours(toggle(tr("What we changed"), tr("What Firstwatch has put into the file.")))
    , m_theirs(toggle(
          tr("What the other writer changed"), tr("What others have changed since Firstwatch wrote the file last.")))
    , m_beside(toggle(tr("Side by side"), tr("Before and after beside each other, else one below the other.")))
    , m_copy(new QToolButton)
    , m_note(new QLabel)
    , m_unified(new QPlainTextEdit)
    , m_highlighter(new DiffHighlighter(m_unified->document()))
    , m_panes(new SidePanes)
    , m_stack(new QStackedWidget)
    , m_views(new QStackedWidget)
{
    m_ours->setChecked(true);
    buildTable();
    buildPanes();
    arrange();
    for (QCheckBox *const button : { m_ours, m_theirs, m_beside })
        connect(button, &QCheckBox::toggled, this, &PatchesPage::showDiff);
    connect(m_copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(unifiedDiff()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PatchesPage::choose);
    showDiff();
}

QCheckBox *PatchesPage::toggle(const QString &text, const QString &tip)
{
    auto *const button = new QCheckBox(text);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    return button;
}

void PatchesPage::buildTable()
{
    setUpTable(m_table);
    m_table->setModel(&m_patches);
    m_table->setAccessibleName(tr("Patches"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    const auto widthOf = [this](const char *text) { return widthFor(m_table, QString::fromUtf8(text)); };
    QHeaderView *const header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    header->resizeSection(PatchModel::Time, widthOf("2026-11-30 18:49:06Z "));
    header->resizeSection(PatchModel::File, widthOf("10-calico.conflist and more"));
    header->setSectionResizeMode(PatchModel::Why, QHeaderView::Stretch);
    header->resizeSection(PatchModel::Change, widthOf("bbbbbbbb → bbbbbbbb "));
    header->resizeSection(PatchModel::Took, widthOf("12m31s99"));
}

void PatchesPage::buildPanes()
{
    m_unified->setReadOnly(true);
    m_unified->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_unified->setFont(fixedFont());
    m_unified->setAccessibleName(tr("What the patch changed"));
    m_unified->setTabChangesFocus(true);
    m_unified->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_unified->setFrameShape(QFrame::NoFrame);
    m_highlighter->setPalette(palette());
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setAccessibleName(tr("About the difference that is shown"));
    m_copy->setText(tr("Copy diff"));
    m_copy->setToolTip(tr("As a unified diff, which patch(1) takes."));
    m_copy->setAccessibleName(tr("Copy as a unified diff"));
    m_copy->setFocusPolicy(Qt::StrongFocus);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setAccessibleName(tr("Why no patch is shown"));
}

void PatchesPage::arrange()
{
    m_views->addWidget(m_unified);
    m_views->addWidget(m_panes);
    auto *const buttons = new QHBoxLayout;
    buttons->setSpacing(4 * grid);
    buttons->addWidget(m_ours);
    buttons->addWidget(m_theirs);
    buttons->addStretch();
    buttons->addWidget(m_beside);
    buttons->addWidget(m_copy);
    auto *const below = new QWidget;
    auto *const belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 2 * grid, 0, 0);
    belowLayout->setSpacing(2 * grid);
    belowLayout->addLayout(buttons);
    belowLayout->addWidget(m_note);
    belowLayout->addWidget(m_views, 1);
    auto *const splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(below);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->addWidget(m_stack);
    m_stack->addWidget(splitter);
    m_stack->addWidget(m_empty);
    setFocusProxy(m_table);
}

void PatchesPage::setNode(const Node &node)
{
    const bool isAnother = m_node.source != node.source;
    m_node = node;
    m_isFilling = true;
    m_patches.setNode(node);
    if ((isAnother || !m_table->currentIndex().isValid()) && m_patches.rowCount() > 0) {
        m_table->selectRow(m_patches.rowCount() - 1);
        m_table->scrollToBottom();
    }
    m_isFilling = false;
    showDiff();
}

void PatchesPage::selectPatch(const QByteArray &boot, quint64 seq)
{
    const int row = m_patches.rowOfPatch(boot, seq);
    if (row < 0)
        return;
    m_isFilling = true;
    m_table->selectRow(row);
    m_isFilling = false;
    showDiff();
}

void PatchesPage::setSideBySide(bool isOn)
{
    m_beside->setChecked(isOn);
}

void PatchesPage::setSides(DiffSides sides)
{
    m_ours->setChecked(sides.ours);
    m_theirs->setChecked(sides.theirs);
}

DiffSides PatchesPage::sides() const
{
    return { m_ours->isChecked(), m_theirs->isChecked() };
}

void PatchesPage::choose()
{
    if (m_isFilling)
        return;
    const PatchRecord *const record = selected();
    if (record != nullptr && record->event.boot == m_node.view.boot)
        Q_EMIT patchSelected(record->event.seq);
    showDiff();
}

const PatchRecord *PatchesPage::selected() const
{
    return m_patches.record(m_table->currentIndex().row());
}

QString PatchesPage::unifiedDiff() const
{
    const PatchRecord *const record = selected();
    return record == nullptr ? QString() : patchDiffs({}, { *record }, m_node.diffs, sides());
}

// What the others made of the file, then what we did.
QList<SideLine> PatchesPage::sideLines(const stream::Diff &diff) const
{
    const DiffSides wanted = sides();
    const auto titled = [&](const QString &title, const QString &text) {
        const SideLine::Side side{ title, 0, 0, 0 };
        const bool isTitled = wanted.ours && wanted.theirs && !text.isEmpty();
        return (isTitled ? QList<SideLine>{ { SideLine::Kind::Place, side, side } } : QList<SideLine>())
            + sideBySide(text);
    };
    return titled(tr("By others, since the patch before:"), wanted.theirs && diff.knowsTheirs ? diff.theirs : QString())
        + titled(tr("By Firstwatch:"), wanted.ours ? diff.ours : QString());
}

// Empty when the difference speaks for itself.
QString PatchesPage::troubleText(const PatchRecord &record) const
{
    const DiffSides wanted = sides();
    const stream::Diff *const diff = diffOf(record, m_node.diffs);
    if (record.event.kind == journal::Kind::PatchFailed)
        return tr("The file was not written: it is as it was before.");
    if (diff == nullptr)
        return m_node.diffTrouble.isEmpty()
            ? tr("What this patch changed is not known: Firstwatch keeps the differences of its newest patches only.")
            : tr("What this patch changed is not known: %1").arg(m_node.diffTrouble);
    if (!wanted.ours && !wanted.theirs)
        return tr("Choose above whose changes are shown.");
    if (wanted.theirs && !diff->knowsTheirs)
        return tr("What the file was before is not known: Firstwatch had not written it in this run.");
    if (sideLines(*diff).isEmpty())
        return tr("Only what is never shown has changed: a secret.");
    return diff->isTruncated ? tr("The difference is too long: only its beginning is shown.") : QString();
}

void PatchesPage::showDiff()
{
    const PatchRecord *const record = selected();
    m_empty->setText(m_node.isReached()
            ? tr("No patch is known of this node: in the runs that are known, Firstwatch did not have to write a file.")
            : tr("This node could not be reached, and nothing of it is known. Its patches are shown here once it is."));
    m_stack->setCurrentIndex(m_patches.rowCount() == 0 ? 1 : 0);
    const stream::Diff *const diff = record == nullptr ? nullptr : diffOf(*record, m_node.diffs);
    const QString note = record == nullptr ? tr("Choose a patch above.") : troubleText(*record);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_copy->setEnabled(diff != nullptr);
    m_views->setCurrentIndex(m_beside->isChecked() ? 1 : 0);
    m_panes->setLines(diff == nullptr ? QList<SideLine>() : sideLines(*diff));
    const QString text = diff == nullptr ? QString() : unifiedDiff();
    if (m_unified->toPlainText() != text)
        m_unified->setPlainText(text);
    if (record != nullptr && diff == nullptr)
        askForDiff(*record);
}

// Once for each time that it is chosen.
void PatchesPage::askForDiff(const PatchRecord &record)
{
    const std::pair wanted(record.event.boot, record.event.seq);
    if (record.event.kind != journal::Kind::PatchApplied || wanted == m_asked)
        return;
    m_asked = wanted;
    Q_EMIT diffWanted(wanted.first, wanted.second);
}

void PatchesPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        m_highlighter->setPalette(palette());
    QWidget::changeEvent(event);
}

} // namespace firstwatch::ui
