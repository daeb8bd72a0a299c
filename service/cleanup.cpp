// SPDX-License-Identifier: Apache-2.0
#include "service/cleanup.h"

#include "sys/clock.h"
#include "sys/syscalls.h"

#include <cerrno>

namespace firstwatch::service {
namespace {

constexpr qint64 limitNs = 4'000'000'000; // of the five seconds; the rest is for kubeconfig and binaries

bool recordStep(journal::Journal &journal, const QString &step, bool good)
{
    journal.record(journal::Kind::CleanupStep, { { QStringLiteral("step"), step }, { QStringLiteral("ok"), good } });
    return good;
}

} // namespace

CleanupResult cleanUp(
    const Settings &settings, const patch::PatchOptions &options, Surroundings &surroundings, journal::Journal &journal)
{
    const sys::FileDescriptor directory = sys::openDirectory(settings.mountPrefix, settings.netDir);
    patch::UndoResult undone;
    if (directory.isValid())
        undone = patch::undoAll(directory.get(), options, journal, sys::bootTimeNs() + limitNs);
    else if (errno != ENOENT)
        undone.failed = 1;
    CleanupResult result{ undone.failed == 0, QStringLiteral("%1 of %2 undone").arg(undone.undone).arg(undone.all()) };
    if (undone.failed > 0) {
        result.summary += QStringLiteral("; kubeconfig and binaries stay, since a config still names them");
        return result;
    }
    const Surroundings::Removal removal = surroundings.remove();
    const bool kubeconfig = recordStep(journal, QStringLiteral("kubeconfig"), removal.kubeconfig);
    const bool binaries = recordStep(journal, QStringLiteral("binaries"), removal.binaries);
    result.summary +=
        kubeconfig ? QStringLiteral(", kubeconfig removed") : QStringLiteral(", kubeconfig could not be removed");
    result.summary +=
        binaries ? QStringLiteral(", binaries removed") : QStringLiteral(", binaries could not be removed");
    result.whole = kubeconfig && binaries;
    return result;
}

} // namespace firstwatch::service
