// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/rewriting.h"

#include "app/firstwatch/files.h"

#include "journal/shownname.h"
#include "patch/rewriter.h"
#include "patch/temporaryname.h"
#include "preview/archivereader.h"
#include "preview/folderpreview.h"

#include <QFileInfo>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace firstwatch::cli {
namespace {

using patch::Rewritten;
using preview::Change;
using preview::FilePreview;

volatile std::sig_atomic_t interruptedBy = 0;

void noteSignal(int number)
{
    interruptedBy = number;
}

// As long as it lives an interrupt is heeded between two files, so that it leaves nothing half done.
class InterruptsWait {
public:
    InterruptsWait()
    {
        for (size_t i = 0; i < numbers.size(); ++i)
            m_before.at(i) = std::signal(numbers.at(i), noteSignal);
    }
    ~InterruptsWait()
    {
        for (size_t i = 0; i < numbers.size(); ++i)
            std::signal(numbers.at(i), m_before.at(i));
    }
    Q_DISABLE_COPY_MOVE(InterruptsWait)

private:
    static constexpr std::array numbers{ SIGINT, SIGTERM, SIGHUP };
    std::array<void (*)(int), 3> m_before{};
};

QString filesText(qsizetype count)
{
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? u"file" : u"files");
}

bool hasConsent(const QString &question)
{
    const QByteArray text = question.toUtf8();
    (void)!::write(STDERR_FILENO, text.constData(), size_t(text.size()));
    std::array<char, 64> answer{};
    const ssize_t size = ::read(STDIN_FILENO, answer.data(), answer.size());
    const QByteArray word = QByteArray(answer.data(), std::max<ssize_t>(size, 0)).trimmed().toLower();
    return word == "y" || word == "yes";
}

// One run through the folders again: what is read now must be what was shown.
class Writing {
public:
    Writing(Call &call, const preview::Options &options, const ShownFiles &shown)
        : m_call(call)
        , m_options(options)
        , m_left(shown)
    {
    }

    void visit(const preview::Folder &folder)
    {
        const QByteArray path = folder.path.isEmpty() ? "." : folder.path;
        const sys::FileDescriptor directory(::open(path.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        patch::Rewriter rewriter(directory.get(), folder.path);
        preview::FolderPreview(folder, m_options).run([&](const FilePreview &file) {
            const auto shown = m_left.find(folder.pathOf(file.name));
            if (shown == m_left.end() || interruptedBy != 0)
                return;
            write(rewriter, shown->first, file, shown->second);
            m_left.erase(shown);
        });
        tell(folder, rewriter.finish());
    }

    void end()
    {
        if (wasCut())
            return m_call.out.error(
                QStringLiteral("interrupted: %1 not written any more").arg(filesText(qsizetype(m_left.size()))));
        for (const auto &[path, hash] : m_left)
            say(path, QStringLiteral("is gone since it was shown"));
    }

    [[nodiscard]] bool wasCut() const { return interruptedBy != 0 && !m_left.empty(); }
    [[nodiscard]] qsizetype written() const { return m_written; }
    [[nodiscard]] bool hasTrouble() const { return m_hasTrouble; }

private:
    void write(patch::Rewriter &rewriter, const QByteArray &path, const FilePreview &file, const QByteArray &seenHash)
    {
        if (file.change == Change::None) // done, by another name, a link's, or by somebody else
            return;
        if (file.change != Change::Patch && file.change != Change::Convert)
            return say(path, QStringLiteral("was changed since it was shown, and is left as it is; look again"));
        const bool isConversion = file.change == Change::Convert;
        const conflist::Plan plan{ isConversion ? conflist::Action::Convert : conflist::Action::Patch, file.after,
            file.targetName, false, {} };
        const Rewritten done = rewriter.write(file.name, seenHash, plan, m_options.chain);
        switch (done.result) {
        case Rewritten::Result::Done:
            ++m_written;
            if (!done.notKept.isEmpty())
                say(path,
                    QStringLiteral("could not be carried over: ") + QString::fromUtf8(done.notKept.join(", "))
                        + QStringLiteral("; set it by hand, or run this as root"));
            return;
        case Rewritten::Result::Changed:
            return say(path, QStringLiteral("was changed since it was shown, and is left as it is; look again"));
        case Rewritten::Result::Busy:
            return say(path, QStringLiteral("somebody is writing to it, so it is left as it is; try again then"));
        case Rewritten::Result::Failed:
            return say(path, done.text);
        }
    }

    void tell(const preview::Folder &folder, const patch::Rewriter::Finished &finished)
    {
        for (const QByteArray &name : finished.overtaken) {
            --m_written;
            say(folder.pathOf(name), QStringLiteral("somebody wrote it at the same time; theirs stands: look again"));
        }
        for (const QByteArray &name : finished.open)
            say(folder.pathOf(name),
                QStringLiteral("somebody still writes to the file that was replaced; what they write is in a hidden "
                               "file beside it, named *.firstwatch-*"));
        if (!finished.isDurable)
            say(folder.path, QStringLiteral("could not be synced: after a power loss some files may be as before"));
    }

    void say(const QByteArray &path, const QString &text)
    {
        m_hasTrouble = true;
        m_call.out.error(journal::shownName(path) + QStringLiteral(": ") + text);
    }

    Call &m_call;
    const preview::Options &m_options;
    ShownFiles m_left; // not written yet
    qsizetype m_written = 0;
    bool m_hasTrouble = false;
};

} // namespace

QString writeError(const Options &options)
{
    if (!options.preview.writes)
        return options.preview.isConfirmed ? QStringLiteral("--yes confirms --write: give both, or none") : QString();
    if (!options.preview.schedule.isEmpty())
        return QStringLiteral("--race writes to no file: leave out --write");
    for (const QString &path : options.arguments) {
        if (path == QLatin1String("-"))
            return QStringLiteral("--write has no file to write to when it reads the standard input: name the file, or "
                                  "take the text with -o patched");
        if (preview::isArchiveName(path.toUtf8()) && !QFileInfo(path).isDir())
            return QStringLiteral("--write does not change an archive: unpack %1, and name the folder").arg(path);
    }
    const bool canAsk = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
    if (!options.preview.isConfirmed && !canAsk)
        return QStringLiteral("--write asks first, and there is no terminal to ask at: give --yes as well");
    return {};
}

int writeShown(Call &call, const preview::Options &options, const ShownFiles &shown)
{
    const auto count = qsizetype(shown.size());
    if (count == 0)
        return exitcode::nothing;
    if (!call.options.preview.isConfirmed && !hasConsent(QStringLiteral("Write %1? [y/N] ").arg(filesText(count)))) {
        call.out.note(QStringLiteral("Nothing was written."));
        return exitcode::found;
    }
    const InterruptsWait interrupts;
    Writing writing(call, options, shown);
    walkArguments(call.options.arguments,
        { [&](const preview::Folder &folder) { writing.visit(folder); }, [](const QByteArray &, const QString &) {},
            {} });
    writing.end();
    call.out.note(QStringLiteral("%1 written.").arg(filesText(writing.written())));
    if (writing.wasCut())
        return exitcode::interrupted;
    return writing.hasTrouble() ? exitcode::notCollected : exitcode::nothing;
}

} // namespace firstwatch::cli
