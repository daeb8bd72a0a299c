// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/pictureexport.h"

#include "ui/inspector/theme.h"
#include "ui/inspector/timelinepainter.h"
#include "ui/timeline/picture.h"

#include <QSaveFile>

namespace firstwatch::ui {
namespace {

constexpr int width = 1280;
constexpr double pixelRatio = 2;
constexpr double namesWidth = 200;
constexpr int margin = 4 * grid;

} // namespace

QImage timelineImage(const Timeline &timeline, const QPalette &palette, const QFont &font)
{
    const double line = QFontMetricsF(font).height();
    TimelineGeometry::Metrics metrics{ width - namesWidth - 2 * margin, line + 3 * grid, line + 3 * grid, line * 0.7 };
    const TimelineGeometry geometry(timeline, metrics);
    const double head = 3 * line;
    const int height = int(head + geometry.lanes().bottom()) + 2 * margin;
    QImage image(int(width * pixelRatio), int(height * pixelRatio), QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(palette.color(QPalette::Base));
    QPainter painter(&image);
    painter.setFont(sized(font, 1.6));
    painter.setPen(colourOf(timeline.verdict == Timeline::Verdict::Proven ? Role::Good : Role::Error, palette));
    painter.drawText(QPointF(margin, margin + 1.4 * line),
        marginTitle(timeline) + QStringLiteral("   ") + verdictWord(timeline.verdict));
    painter.setFont(font);
    painter.setPen(colourOf(Role::Plain, palette));
    painter.drawText(QPointF(margin, margin + 2.6 * line), timeline.sentence);
    painter.translate(margin, margin + head);
    const TimelinePainter chart(timeline, geometry, palette);
    chart.drawNames(painter, namesWidth - 2 * grid);
    painter.translate(namesWidth, 0);
    chart.draw(painter);
    return image;
}

bool savePicture(
    const Timeline &timeline, const QString &path, const QPalette &palette, const QFont &font, QString &error)
{
    QSaveFile file(path);
    const bool isSvg = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
    bool isWritten = file.open(QIODevice::WriteOnly);
    if (isWritten && isSvg)
        isWritten = file.write(timelineSvg(timeline)) >= 0;
    else if (isWritten)
        isWritten = timelineImage(timeline, palette, font).save(&file, "PNG");
    if (isWritten && file.commit())
        return true;
    error = file.errorString();
    return false;
}

} // namespace firstwatch::ui
