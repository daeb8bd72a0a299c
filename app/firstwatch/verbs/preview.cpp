// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/files.h"
#include "app/firstwatch/verb.h"

#include "journal/shownname.h"
#include "preview/folderpreview.h"
#include "ui/preview/previewjson.h"
#include "ui/preview/previewtext.h"
#include "ui/preview/sarif.h"
#include "ui/text/json.h"

namespace firstwatch::cli {
namespace {

using preview::Change;
using preview::FilePreview;

struct Counts {
    int files = 0;
    int changes = 0;
    int troubles = 0; // what could not be read or cannot be patched
};

// Everything that one call shows, folder by folder.
class Pages {
public:
    Pages(Call &call, const preview::Options &options)
        : m_call(call)
        , m_options(options)
    {
    }

    void show(const preview::Folder &folder)
    {
        preview::FolderPreview looked(folder, m_options);
        QJsonArray files;
        looked.run([&](const FilePreview &file) { take(folder, file, files); });
        if (isDocument(m_call.options))
            m_folders.append(folderJson(folder, looked, files));
        else if (m_call.options.output == QLatin1String("diff"))
            showRuntimes(folder, looked);
    }

    void sayProblem(const QByteArray &path, const QString &problem)
    {
        ++m_counts.troubles;
        const QString text = journal::shownName(path) + QStringLiteral(": ") + problem;
        m_sarif.addProblem(text);
        m_call.out.error(text);
    }

    [[nodiscard]] const Counts &counts() const { return m_counts; }
    [[nodiscard]] const QByteArray &patched() const { return m_patched; } // of the last file
    [[nodiscard]] const QJsonArray &folders() const { return m_folders; }
    [[nodiscard]] const ui::SarifLog &sarif() const { return m_sarif; }

private:
    void take(const preview::Folder &folder, const FilePreview &file, QJsonArray &files)
    {
        const QString path = journal::shownName(folder.pathOf(file.name));
        const PreviewOptions &wanted = m_call.options.preview;
        count(file.change);
        m_patched = file.after;
        if (isDocument(m_call.options))
            files.append(ui::filePreviewJson(path, file, wanted.showsSecrets));
        else if (m_call.options.output == QLatin1String("sarif"))
            m_sarif.add(folder.pathOf(file.name), file);
        else if (m_call.options.output == QLatin1String("diff"))
            m_call.out.data(ui::filePage(m_call.out.look(), path, file, wanted.isRemoval, wanted.showsSecrets) + u'\n');
        else if (m_call.options.output == QLatin1String("summary"))
            m_call.out.data(ui::fileLine(m_call.out.look(), path, file, wanted.isRemoval));
    }

    void count(Change change)
    {
        ++m_counts.files;
        if (change == Change::Patch || change == Change::Convert)
            ++m_counts.changes;
        else if (change == Change::Left || change == Change::Unreadable)
            ++m_counts.troubles;
    }

    [[nodiscard]] QList<conflist::Runtime> runtimes() const
    {
        const std::optional<conflist::Runtime> &one = m_call.options.preview.runtime;
        return one ? QList{ *one } : QList{ conflist::Runtime::Containerd, conflist::Runtime::CriO };
    }

    void showRuntimes(const preview::Folder &folder, const preview::FolderPreview &looked)
    {
        const QString where = folder.isWhole ? QStringLiteral("in ") + journal::shownName(folder.path)
                                             : QStringLiteral("if there is nothing else");
        for (const conflist::Runtime runtime : runtimes())
            m_call.out.data(ui::runtimePage(m_call.out.look(), where, runtime, looked.view(runtime)));
        m_call.out.data(QStringLiteral("\n"));
    }

    [[nodiscard]] QJsonObject folderJson(
        const preview::Folder &folder, const preview::FolderPreview &looked, const QJsonArray &files) const
    {
        QJsonArray views;
        for (const conflist::Runtime runtime : runtimes())
            views.append(ui::runtimeJson(runtime, looked.view(runtime)));
        return { { QStringLiteral("path"), journal::shownName(folder.path) },
            { QStringLiteral("whole"), folder.isWhole }, { QStringLiteral("files"), files },
            { QStringLiteral("runtimes"), views } };
    }

    Call &m_call;
    const preview::Options &m_options;
    Counts m_counts;
    QByteArray m_patched;
    QJsonArray m_folders;
    ui::SarifLog m_sarif;
};

QString pluginLine(const PreviewOptions &wanted, const conflist::PluginTemplate &plugin)
{
    return QStringLiteral("Plugin %1 (%2)\n\n")
        .arg(QString::fromUtf8(plugin.type()),
            wanted.pluginFile.isEmpty() ? QStringLiteral("linkerd's chart, default values; see --plugin")
                                        : journal::shownName(wanted.pluginFile));
}

QString sumOf(const Counts &counts)
{
    return QStringLiteral("%1 %2: %3 would change, %4 to look at.")
        .arg(counts.files)
        .arg(counts.files == 1 ? u"file" : u"files")
        .arg(counts.changes)
        .arg(counts.troubles);
}

int conclude(Call &call, const Pages &pages, const conflist::PluginTemplate &plugin)
{
    const PreviewOptions &wanted = call.options.preview;
    const Counts &counts = pages.counts();
    if (isDocument(call.options))
        sayDocument(call,
            ui::document(QStringLiteral("preview"),
                QJsonObject{ { QStringLiteral("plugin"), QString::fromUtf8(plugin.type()) },
                    { QStringLiteral("built_in_plugin"), wanted.pluginFile.isEmpty() },
                    { QStringLiteral("removal"), wanted.isRemoval }, { QStringLiteral("folders"), pages.folders() } }));
    if (call.options.output == QLatin1String("sarif"))
        call.out.data(
            ui::jsonText(pages.sarif().document(QStringLiteral(FIRSTWATCH_VERSION)), call.out.look().hasUnicode));
    if (call.options.output == QLatin1String("patched")) {
        if (counts.files > 1) {
            call.out.error(QStringLiteral("-o patched shows one file, and there are %1").arg(counts.files));
            return exitcode::usage;
        }
        call.out.data(pages.patched());
    }
    call.out.verdict(sumOf(counts));
    if (counts.troubles > 0)
        return exitcode::notCollected;
    return counts.changes > 0 && wanted.failsOnChange ? exitcode::found : exitcode::nothing;
}

} // namespace

int runPreview(Call &call)
{
    const PreviewOptions &wanted = call.options.preview;
    if (!wanted.schedule.isEmpty())
        return runRace(call);
    int code = exitcode::nothing;
    const std::optional<conflist::PluginTemplate> plugin = pluginOf(call, code);
    if (!plugin)
        return code;
    if (call.options.output == QLatin1String("diff") || call.options.output == QLatin1String("summary"))
        call.out.data(pluginLine(wanted, *plugin));
    const preview::Options options{ { { *plugin }, wanted.position }, wanted.excludes, wanted.activeOnly,
        wanted.isRemoval };
    Pages pages(call, options);
    walkArguments(call.options.arguments,
        { [&](const preview::Folder &folder) { pages.show(folder); },
            [&](const QByteArray &path, const QString &problem) { pages.sayProblem(path, problem); } });
    return conclude(call, pages, *plugin);
}

} // namespace firstwatch::cli
