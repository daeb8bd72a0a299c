// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/files.h"

#include "journal/shownname.h"
#include "preview/lint.h"
#include "ui/preview/changes.h"
#include "ui/preview/previewjson.h"
#include "ui/preview/previewtext.h"
#include "ui/preview/sarif.h"
#include "ui/text/json.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace firstwatch::cli {
namespace {

using journal::Severity;
using preview::FilePreview;

// What one call found, and how it is shown.
class Findings {
public:
    Findings(Call &call, const conflist::PluginTemplate &plugin)
        : m_call(call)
        , m_document(documentWriter(call))
    {
        if (call.options.output == QLatin1String("sarif"))
            m_sarif.emplace(m_document);
        else if (isDocument(call.options))
            beginDocument(plugin);
    }

    void take(const QByteArray &path, const FilePreview &file)
    {
        ++m_files;
        m_progress.next();
        m_hasTrouble = m_hasTrouble || file.change == preview::Change::Unreadable;
        for (const Finding &finding : file.findings)
            ++m_counts.at(size_t(ui::severityOf(finding)));
        const QString shown = journal::shownName(path);
        if (isDocument(m_call.options)) {
            for (const QJsonValue finding : ui::fileFindings(shown, file))
                m_document.append(finding);
        } else if (m_sarif) {
            m_sarif->add(path, file);
        } else if (!file.findings.isEmpty()) {
            m_call.out.data(ui::lintPage(m_call.out.look(), shown, file));
        }
    }

    void sayProblem(const QByteArray &path, const QString &problem)
    {
        m_hasTrouble = true;
        const QString text = journal::shownName(path) + QStringLiteral(": ") + problem;
        if (m_sarif)
            m_sarif->addProblem(text);
        m_call.out.error(text);
    }

    void tick() { m_progress.tick(); }

    void sayEnd()
    {
        if (m_sarif)
            m_sarif->end(QStringLiteral(FIRSTWATCH_VERSION));
        else if (isDocument(m_call.options))
            endDocument();
        m_call.out.verdict(sum());
    }

    [[nodiscard]] int exitCode() const
    {
        if (m_hasTrouble)
            return exitcode::notCollected;
        const bool isBad = (m_call.options.failOn != FailOn::Never && count(Severity::Error) > 0)
            || (m_call.options.failOn == FailOn::Warning && count(Severity::Warning) > 0);
        return isBad ? exitcode::found : exitcode::nothing;
    }

private:
    [[nodiscard]] int count(Severity severity) const { return m_counts.at(size_t(severity)); }

    void beginDocument(const conflist::PluginTemplate &plugin)
    {
        ui::beginDocument(m_document, QStringLiteral("lint"));
        m_document.add(QStringLiteral("plugin"), QString::fromUtf8(plugin.type()));
        m_document.add(QStringLiteral("built_in_plugin"), m_call.options.preview.pluginFile.isEmpty());
        m_document.beginList(QStringLiteral("findings"));
    }

    void endDocument()
    {
        m_document.end();
        m_document.add(QStringLiteral("files"), m_files);
        ui::endDocument(m_document);
    }

    [[nodiscard]] QString sum() const
    {
        return QStringLiteral("%1 %2 looked at: error %3, warning %4, info %5.")
            .arg(m_files)
            .arg(m_files == 1 ? u"file" : u"files")
            .arg(count(Severity::Error))
            .arg(count(Severity::Warning))
            .arg(count(Severity::Info));
    }

    Call &m_call;
    FileProgress m_progress{ m_call.out };
    int m_files = 0;
    bool m_hasTrouble = false; // something could not be read
    std::array<int, 3> m_counts{}; // by severity
    ui::DocumentWriter m_document;
    std::optional<ui::SarifLog> m_sarif;
};

namespace fs = std::filesystem;

bool areFolders(Call &call)
{
    for (const QByteArray &path : call.options.preview.binDirs) {
        std::error_code error;
        if (fs::is_directory(fs::path(path.toStdString()), error))
            continue;
        call.out.error(QStringLiteral("--bin-dir %1: is no directory that can be read; give the one with the plugins")
                           .arg(journal::shownName(path)));
        return false;
    }
    return true;
}

// As libcni looks for it: a file of that name, in the first directory that has one.
bool hasBinary(const QByteArrayList &binDirs, const QByteArray &type)
{
    return !type.contains('/') && !type.contains('\0')
        && std::any_of(binDirs.begin(), binDirs.end(), [&type](const QByteArray &path) {
               std::error_code error;
               return fs::is_regular_file(fs::path(path.toStdString()) / type.toStdString(), error);
           });
}

preview::LintOptions lintOptions(const PreviewOptions &wanted, const conflist::PluginTemplate &plugin)
{
    preview::LintOptions options{ plugin, !wanted.pluginFile.isEmpty(), wanted.excludes, {} };
    if (!wanted.binDirs.isEmpty())
        options.hasBinary = [&wanted](const QByteArray &type) { return hasBinary(wanted.binDirs, type); };
    return options;
}

} // namespace

int runLint(Call &call)
{
    int code = exitcode::nothing;
    const std::optional<conflist::PluginTemplate> plugin = pluginOf(call, code);
    if (!plugin)
        return code;
    if (!areFolders(call))
        return exitcode::notCollected;
    const preview::LintOptions options = lintOptions(call.options.preview, *plugin);
    Findings findings(call, *plugin);
    walkArguments(call.options.arguments,
        { [&](const preview::Folder &folder) {
             preview::FolderLint(folder, options).run([&](const FilePreview &file) {
                 findings.take(folder.pathOf(file.name), file);
             });
         },
            [&](const QByteArray &path, const QString &problem) { findings.sayProblem(path, problem); },
            [&] { findings.tick(); } });
    findings.sayEnd();
    return findings.exitCode();
}

} // namespace firstwatch::cli
