// SPDX-License-Identifier: Apache-2.0
#include "ui/models/tip.h"

namespace firstwatch::ui {

QString tipText(const QString &text)
{
    constexpr qsizetype widest = 80;
    if (text.size() <= widest && !text.contains(u'<') && !text.contains(u'&'))
        return text;
    return QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped().replace(u'\n', QLatin1String("<br>")));
}

} // namespace firstwatch::ui
