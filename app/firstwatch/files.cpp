// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/files.h"

#include "journal/shownname.h"
#include "preview/linkerdplugin.h"

#include <QFile>

#include <unistd.h>

namespace firstwatch::cli {
namespace {

constexpr qint64 msBetweenNews = 100;
constexpr qint64 largestInput = 1024 * 1024 + 1; // one byte more than a config may have

QByteArray standardInput(const QStringList &paths)
{
    QFile input;
    if (!paths.contains(QLatin1String("-")) || !input.open(STDIN_FILENO, QIODevice::ReadOnly))
        return {};
    return input.read(largestInput);
}

} // namespace

std::optional<conflist::PluginTemplate> pluginOf(Call &call, int &code)
{
    const QByteArray &path = call.options.preview.pluginFile;
    QByteArray text = preview::linkerdTemplate();
    if (!path.isEmpty()) {
        QFile file(QFile::decodeName(path));
        if (!file.open(QIODevice::ReadOnly)) {
            call.out.error(QStringLiteral("%1: %2").arg(journal::shownName(path), file.errorString()));
            code = exitcode::notCollected;
            return std::nullopt;
        }
        text = file.read(largestInput);
    }
    conflist::PluginTemplate::Error error;
    const auto plugin = conflist::PluginTemplate::parse(text, preview::defaultKubeconfigPath(), error);
    if (!plugin) {
        call.out.error(QStringLiteral("--plugin %1: %2").arg(journal::shownName(path), error.text));
        code = exitcode::usage;
    }
    return plugin;
}

FileProgress::FileProgress(Output &out)
    : m_out(out)
{
    m_timer.start();
}

void FileProgress::next()
{
    ++m_files;
    tick();
}

void FileProgress::tick()
{
    if (m_timer.elapsed() < m_dueMs)
        return;
    m_out.progress(QByteArray::number(m_files) + " files");
    m_dueMs = m_timer.elapsed() + msBetweenNews;
}

void walkArguments(const QStringList &arguments, const preview::Found &found)
{
    QByteArrayList paths;
    for (const QString &path : arguments)
        paths.append(QFile::encodeName(path));
    preview::walk(paths, standardInput(arguments), found);
}

} // namespace firstwatch::cli
