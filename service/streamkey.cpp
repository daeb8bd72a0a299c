// SPDX-License-Identifier: Apache-2.0
#include "service/streamkey.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "service/textfile.h"

namespace firstwatch::service {
namespace {

constexpr qsizetype shortestKey = 16;
constexpr qsizetype longestKey = 4096;

} // namespace

StreamKey readStreamKey(const Settings &settings)
{
    if (settings.streamPort == 0 || settings.streamKeyFile.isEmpty())
        return {};
    TextFile file = readTextFile(settings.streamKeyFile, longestKey);
    if (file.text.endsWith('\n'))
        file.text.chop(1);
    if (file.error.isEmpty() && file.text.size() < shortestKey)
        file.error = QStringLiteral("shorter than %1 bytes").arg(shortestKey);
    if (file.error.isEmpty())
        return { file.text, {} };
    return { {},
        Finding{ journal::code::streamPort,
            QStringLiteral("port %1 is not opened: the key file %2 cannot be used (%3)")
                .arg(settings.streamPort)
                .arg(journal::shownName(settings.streamKeyFile), file.error) } };
}

} // namespace firstwatch::service
