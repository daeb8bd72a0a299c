// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"

#include "patch/temporaryname.h"
#include "sys/failpoint.h"

#include <QDebug>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace firstwatch::test {
namespace {

qint64 numberAfter(const QByteArray &text, const QByteArray &key)
{
    const qsizetype at = text.indexOf(key);
    if (at < 0)
        return -1;
    qsizetype end = at + key.size();
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
        ++end;
    bool good = false;
    const qint64 number = text.mid(at + key.size(), end - at - key.size()).toLongLong(&good);
    return good ? number : -1;
}

} // namespace

bool isLong()
{
    return qEnvironmentVariableIntValue("FIRSTWATCH_LONG") != 0;
}

patch::PatchOptions optionsOf(const QByteArrayList &types)
{
    patch::PatchOptions options;
    for (const QByteArray &type : types) {
        conflist::PluginTemplate::Error error;
        options.chain.plugins.append(
            conflist::PluginTemplate::parse(R"({"type":")" + type + R"("})", "/k", error).value());
    }
    return options;
}

QByteArray ownerText(qint64 counter)
{
    const QByteArray number = QByteArray::number(counter);
    return R"({"cniVersion":"0.4.0","name":"net","first":)" + number + R"(,"plugins":[{"type":"bridge"}],"last":)"
        + number + "}\n";
}

qint64 counterOf(const QByteArray &text)
{
    const qint64 first = numberAfter(text, R"("first":)");
    return text.endsWith("}\n") && first == numberAfter(text, R"("last":)") ? first : -1;
}

QByteArray patched(const QByteArray &name, const QByteArray &text, const patch::PatchOptions &options)
{
    const conflist::Plan plan = conflist::plan(name, text, options.chain);
    return plan.action == conflist::Action::Patch || plan.action == conflist::Action::Convert ? plan.text : text;
}

Recorder::Recorder(journal::Journal &journal)
{
    connect(&journal, &journal::Journal::recorded, this, &Recorder::keep);
}

void Recorder::keep(const journal::Event &event)
{
    m_events.append(event);
}

QList<journal::Event> Recorder::events(journal::Kind kind) const
{
    QList<journal::Event> found;
    for (const journal::Event &event : m_events) {
        if (event.kind == kind)
            found.append(event);
    }
    return found;
}

int Recorder::count(journal::Kind kind, const QByteArray &file) const
{
    int number = 0;
    for (const journal::Event &event : events(kind)) {
        if (file.isEmpty() || event.fields.value(QStringLiteral("file")).toString() == journal::shownName(file))
            ++number;
    }
    return number;
}

Room::Room(const QByteArray &base, const patch::PatchOptions &wanted)
    : m_temporary(QString::fromUtf8(base + "/tst_patch-XXXXXX"))
    , options(wanted)
    , dir(m_temporary.path().toUtf8())
{
    std::signal(SIGIO, SIG_IGN); // as the service does: a lease announces a writer so
    if (!m_temporary.isValid())
        qFatal("no directory below %s", base.constData());
    m_fd = sys::openDirectory({}, dir.path());
    if (options.hostDir.isEmpty())
        options.hostDir = dir.path();
    restart();
}

Room::~Room()
{
    for (const QByteArray &name : dir.names())
        ::unlinkat(m_fd.get(), name.constData(), 0);
}

void Room::restart()
{
    reconciler.reset();
    journal = std::make_unique<journal::Journal>();
    recorder = std::make_unique<Recorder>(*journal);
    reconciler = std::make_unique<patch::Reconciler>(options, *journal);
    reconciler->setDirectory(m_fd.get());
}

patch::PassResult Room::pass(patch::PassReason reason)
{
    return reconciler->pass(pollingEvidence(), reason);
}

bool Room::settles()
{
    return settles([] { return true; });
}

bool Room::settles(const std::function<bool()> &good)
{
    const auto isSettled = [&] {
        pass();
        return reconciler->isClean() && !reconciler->hasDisplaced() && good();
    };
    if (runUntil(isSettled, 20'000))
        return true;
    qWarning() << "does not settle:" << dir.names();
    return false;
}

QList<QByteArray> Room::temporaries() const
{
    QList<QByteArray> found;
    for (const QByteArray &name : dir.names()) {
        if (name.contains(".firstwatch-") && patch::nameOfKept(name).isEmpty())
            found.append(name);
    }
    return found;
}

bool Room::hasFinding(int code, const QByteArray &file) const
{
    for (const journal::NodeState::OpenFinding &finding : journal->state().findings()) {
        if (finding.code == code && (file.isEmpty() || finding.file == journal::shownName(file)))
            return true;
    }
    return false;
}

journal::FileWord Room::word(const QByteArray &name) const
{
    const auto file = journal->state().files().constFind(journal::shownName(name));
    return file == journal->state().files().constEnd() ? journal::FileWord::Gone : file->word;
}

bool Room::isPatchedFrom(const QByteArray &ownersText, const QByteArray &name) const
{
    // The target of a link may have any name.
    return dir.read(name) == patched(conflist::isConfigName(name) ? name : config, ownersText, options);
}

WatchedRoom::WatchedRoom(const QByteArray &base, const patch::PatchOptions &options)
    : room(base, options)
    , watch(inotify, { .prefix = {}, .hostPath = room.dir.path() })
{
    using watch::DirectoryWatch;
    using watch::Inotify;
    connect(&watch, &DirectoryWatch::ready, this, &WatchedRoom::onEvidence);
    connect(&watch, &DirectoryWatch::pollDue, this, &WatchedRoom::onEvidence);
    connect(&watch, &DirectoryWatch::changed, room.reconciler.get(), &patch::Reconciler::note);
    connect(&inotify, &Inotify::settled, room.reconciler.get(), &patch::Reconciler::settle);
    connect(&inotify, &Inotify::overflowed, this, [this] { room.pass(patch::PassReason::Overflow); });
}

bool WatchedRoom::start()
{
    watch.start();
    return runUntil([this] { return m_passed; }, 10'000);
}

void WatchedRoom::onEvidence()
{
    room.reconciler->setDirectory(watch.directory());
    (void)room.reconciler->pass(*watch.evidence(), patch::PassReason::Start);
    m_passed = true;
}

patch::PassResult WatchedRoom::periodicPass()
{
    inotify.drain();
    return room.reconciler->pass(*watch.evidence(), patch::PassReason::Periodic);
}

int inChild(const std::function<int()> &work)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(work());
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child)
        qFatal("fork");
    return status;
}

} // namespace firstwatch::test
