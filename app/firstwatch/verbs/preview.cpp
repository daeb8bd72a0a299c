// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/files.h"
#include "app/firstwatch/rewriting.h"

#include "journal/shownname.h"
#include "patch/temporaryname.h"
#include "preview/folderpreview.h"
#include "ui/preview/previewjson.h"
#include "ui/preview/previewtext.h"
#include "ui/preview/sarif.h"
#include "ui/text/json.h"

#include <optional>

namespace firstwatch::cli {
namespace {

using preview::Change;
using preview::FilePreview;

struct Counts {
    int files = 0;
    int changes = 0;
    int troubles = 0; // what could not be read or cannot be patched
};

QString pluginLine(const PreviewOptions &wanted, const conflist::PluginTemplate &plugin)
{
    return QStringLiteral("Plugin %1 (%2)\n\n")
        .arg(QString::fromUtf8(plugin.type()),
            wanted.pluginFile.isEmpty() ? QStringLiteral("linkerd's chart, default values; see --plugin")
                                        : journal::shownName(wanted.pluginFile));
}

// Everything that one call shows, folder by folder.
class Pages {
public:
    Pages(Call &call, const preview::Options &options)
        : m_call(call)
        , m_options(options)
        , m_document(documentWriter(call))
    {
        const conflist::PluginTemplate &plugin = options.chain.plugins.constFirst();
        const QString &form = call.options.output;
        if (form == QLatin1String("sarif"))
            m_sarif.emplace(m_document);
        else if (isDocument(call.options))
            beginDocument();
        else if (form == QLatin1String("diff") || form == QLatin1String("summary"))
            call.out.data(pluginLine(call.options.preview, plugin));
    }

    void show(const preview::Folder &folder)
    {
        preview::FolderPreview looked(folder, m_options);
        if (isDocument(m_call.options)) {
            m_document.beginObject();
            m_document.beginList(QStringLiteral("files"));
        }
        looked.run([&](const FilePreview &file) { take(folder, file); });
        if (isDocument(m_call.options))
            endFolder(folder, looked);
        else if (m_call.options.output == QLatin1String("diff"))
            showRuntimes(folder, looked);
    }

    void sayProblem(const QByteArray &path, const QString &problem)
    {
        ++m_counts.troubles;
        const QString text = journal::shownName(path) + QStringLiteral(": ") + problem;
        if (m_sarif)
            m_sarif->addProblem(text);
        m_call.out.error(text);
    }

    void tick() { m_progress.tick(); }

    void end()
    {
        if (m_sarif)
            m_sarif->end(QStringLiteral(FIRSTWATCH_VERSION));
        else if (isDocument(m_call.options))
            endDocument();
    }

    [[nodiscard]] const Counts &counts() const { return m_counts; }
    [[nodiscard]] const ShownFiles &shown() const { return m_shown; } // what may be written
    [[nodiscard]] const QByteArray &patched() const { return m_patched; } // of the last file

private:
    void take(const preview::Folder &folder, const FilePreview &file)
    {
        const QString path = journal::shownName(folder.pathOf(file.name));
        const PreviewOptions &wanted = m_call.options.preview;
        count(file.change);
        m_progress.next();
        if (wanted.writes && (file.change == Change::Patch || file.change == Change::Convert))
            m_shown[folder.pathOf(file.name)] = patch::contentHash(file.before);
        m_patched = file.after;
        if (isDocument(m_call.options))
            m_document.append(ui::filePreviewJson(path, file, wanted.showsSecrets));
        else if (m_sarif)
            m_sarif->add(folder.pathOf(file.name), file);
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

    void beginDocument()
    {
        ui::beginDocument(m_document, QStringLiteral("preview"));
        m_document.add(QStringLiteral("plugin"), QString::fromUtf8(m_options.chain.plugins.constFirst().type()));
        m_document.add(QStringLiteral("built_in_plugin"), m_call.options.preview.pluginFile.isEmpty());
        m_document.add(QStringLiteral("removal"), m_call.options.preview.isRemoval);
        m_document.beginList(QStringLiteral("folders"));
    }

    void endFolder(const preview::Folder &folder, const preview::FolderPreview &looked)
    {
        m_document.end();
        m_document.add(QStringLiteral("path"), journal::shownName(folder.path));
        m_document.beginList(QStringLiteral("runtimes"));
        for (const conflist::Runtime runtime : runtimes())
            ui::writeRuntime(m_document, runtime, looked.view(runtime));
        m_document.end();
        m_document.add(QStringLiteral("whole"), folder.isWhole);
        m_document.end();
    }

    void endDocument()
    {
        m_document.end();
        ui::endDocument(m_document);
    }

    Call &m_call;
    const preview::Options &m_options;
    ShownFiles m_shown;
    FileProgress m_progress{ m_call.out };
    Counts m_counts;
    QByteArray m_patched;
    ui::DocumentWriter m_document;
    std::optional<ui::SarifLog> m_sarif;
};

QString sumOf(const Counts &counts)
{
    return QStringLiteral("%1 %2: %3 would change, %4 to look at.")
        .arg(counts.files)
        .arg(counts.files == 1 ? u"file" : u"files")
        .arg(counts.changes)
        .arg(counts.troubles);
}

int conclude(Call &call, Pages &pages, const preview::Options &options)
{
    const PreviewOptions &wanted = call.options.preview;
    const Counts &counts = pages.counts();
    pages.end();
    if (call.options.output == QLatin1String("patched")) {
        if (counts.files > 1) {
            call.out.error(QStringLiteral("-o patched shows one file, and there are %1").arg(counts.files));
            return exitcode::usage;
        }
        call.out.data(pages.patched());
    }
    call.out.verdict(sumOf(counts));
    const int written = wanted.writes ? writeShown(call, options, pages.shown()) : exitcode::nothing;
    if (written != exitcode::nothing)
        return written;
    if (counts.troubles > 0)
        return exitcode::notCollected;
    return counts.changes > 0 && wanted.failsOnChange ? exitcode::found : exitcode::nothing;
}

} // namespace

int runPreview(Call &call)
{
    const PreviewOptions &wanted = call.options.preview;
    if (const QString error = writeError(call.options); !error.isEmpty()) {
        call.out.error(error);
        return exitcode::usage;
    }
    if (!wanted.schedule.isEmpty())
        return runRace(call);
    int code = exitcode::nothing;
    const std::optional<conflist::PluginTemplate> plugin = pluginOf(call, code);
    if (!plugin)
        return code;
    const preview::Options options{ { { *plugin }, wanted.position }, wanted.excludes, wanted.activeOnly,
        wanted.isRemoval };
    Pages pages(call, options);
    walkArguments(call.options.arguments,
        { [&](const preview::Folder &folder) { pages.show(folder); },
            [&](const QByteArray &path, const QString &problem) { pages.sayProblem(path, problem); },
            [&] { pages.tick(); } });
    return conclude(call, pages, options);
}

} // namespace firstwatch::cli
