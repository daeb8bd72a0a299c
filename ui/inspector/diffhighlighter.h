// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"

#include <QPalette>
#include <QSyntaxHighlighter>

namespace firstwatch::ui {

// Colours the lines of unified diffs with comments between them, as patchDiffs() writes them.
class DiffHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;
    void setPalette(const QPalette &palette);

protected:
    void highlightBlock(const QString &text) override;

private:
    [[nodiscard]] Role roleOf(const QString &line);

    QPalette m_palette;
};

} // namespace firstwatch::ui
