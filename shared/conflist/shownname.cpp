// SPDX-License-Identifier: Apache-2.0
#include "conflist/shownname.h"

#include <QList>

#include <algorithm>

namespace firstwatch::conflist {

QString shownName(const QByteArray &name)
{
    constexpr qsizetype most = 64;
    const QList<uint> points = QString::fromUtf8(name.first(std::min(name.size(), 4 * (most + 1)))).toUcs4();
    QString shown;
    for (const uint point : points.first(std::min(points.size(), most))) {
        const char32_t visible = QChar::isPrint(point) ? char32_t(point) : U'\uFFFD';
        shown += QString::fromUcs4(&visible, 1);
    }
    return points.size() > most ? shown + u'\u2026' : shown;
}

} // namespace firstwatch::conflist
