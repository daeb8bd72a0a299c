// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

#include "preview/walk.h"

#include <QElapsedTimer>

namespace firstwatch::cli {

// The template that --plugin names, else linkerd's. When it cannot be had, says why and sets the exit code.
[[nodiscard]] std::optional<conflist::PluginTemplate> pluginOf(Call &call, int &code);

// Tells on a terminal how many files have been looked at, once that takes longer than half a second.
class FileProgress {
public:
    explicit FileProgress(Output &out);
    ~FileProgress() { m_out.progress({}); }
    Q_DISABLE_COPY_MOVE(FileProgress)
    void next(); // one more
    void tick(); // still at it

private:
    Output &m_out;
    QElapsedTimer m_timer;
    qint64 m_dueMs = 500;
    qint64 m_files = 0;
};

// Visits what the arguments name; "-" is the standard input.
void walkArguments(const QStringList &arguments, const preview::Found &found);

} // namespace firstwatch::cli
