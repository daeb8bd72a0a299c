// SPDX-License-Identifier: Apache-2.0
#include "ui/text/cells.h"

#include "ui/text/units.h"

#include <algorithm>

namespace firstwatch::ui {

QString noText()
{
    return QStringLiteral("-");
}

QString watchText(const Node &node)
{
    return node.hasRun() ? watchWord(node.view) : noText();
}

QString marginText(const Node &node)
{
    const std::optional<qint64> margin = node.view.readyMarginNs();
    return margin ? signedText(*margin) : noText();
}

QString filesText(const Node &node)
{
    const FileCount count = fileCount(node.view.state);
    return node.hasRun() ? QStringLiteral("%1/%2").arg(count.patched).arg(count.eligible) : noText();
}

QString lastPatchText(const Node &node)
{
    const journal::NodeView::Patch &patch = node.view.lastPatch;
    return patch.tNs == 0 ? noText() : ageText(node.nowNs - patch.tNs) + u' ' + patch.file;
}

// How many, and how old the oldest is.
QString driftText(const Node &node)
{
    const auto &files = node.view.state.files();
    const auto count = std::count_if(files.cbegin(), files.cend(),
        [](const journal::NodeState::File &file) { return file.word == journal::FileWord::Drift; });
    return count == 0 ? QStringLiteral("0")
                      : QStringLiteral("%1/%2").arg(count).arg(ageText(node.nowNs - node.view.state.oldestDriftNs()));
}

QString tokenText(const Node &node)
{
    return node.view.tokenNs == 0 ? noText() : ageText(node.nowNs - node.view.tokenNs);
}

Role marginRole(const Node &node)
{
    return node.view.readyMarginNs().value_or(0) < 0 ? Role::Error : Role::Plain;
}

QString bootText(const Node &node)
{
    return node.hasRun() ? QString::fromUtf8(node.view.boot.left(8)) : noText();
}

} // namespace firstwatch::ui
