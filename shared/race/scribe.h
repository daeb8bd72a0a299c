// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "race/clock.h"
#include "race/model.h"
#include "race/world.h"

#include <QJsonObject>

// Writes down what happens in a simulation: the events that the timeline is drawn of, and what became of each change.
namespace firstwatch::race {

class Scribe {
public:
    Scribe(const Clock &clock, const conflist::Options &chain, Installer installer);

    void record(journal::Kind kind, const QJsonObject &fields = {});
    void recordFile(journal::Kind kind, const QByteArray &name, QJsonObject fields = {});
    void state(const QByteArray &name, const char *word); // only when it is another one

    // Owners.
    void changed(const QByteArray &name, const QByteArray &text, Change::Heard heard);
    void gone(const QByteArray &name);
    // The installer.
    void begin(const World &world); // at time zero
    void armed();
    void proven();
    void passBegins(const char *reason, const char *evidence);
    void passEnds(int files, int patched);
    void patched(const QByteArray &name, const QByteArray &text, const QJsonObject &fields = {});
    void converted(
        const QByteArray &from, const QByteArray &name, const QByteArray &text, const QJsonObject &fields = {});
    void lostUpdate(const QByteArray &name);
    void putBack(const QByteArray &name);
    void unheard(const QByteArray &name, Change::Heard why); // an event that would have led to the patch of the file

    [[nodiscard]] conflist::Plan planOf(const QByteArray &name, const QByteArray &text) const;
    [[nodiscard]] bool hasFirstPass() const { return m_outcome.passNs.has_value(); }
    // `isAwaited`: somebody will still look at the file.
    [[nodiscard]] Outcome finish(const World &world, const std::function<bool(const QByteArray &)> &isAwaited);

private:
    void close(const QByteArray &name); // the changes of the file that stand are over
    [[nodiscard]] bool needsPatch(const QByteArray &name, const QByteArray &text) const;
    void completeMargin();

    const Clock &m_clock;
    const conflist::Options &m_chain;
    Outcome m_outcome;
    std::map<QByteArray, QByteArray> m_states;
    std::map<QByteArray, qint64> m_ownersLast; // when an owner last wrote the file
    std::map<QByteArray, int> m_patches;
    int m_pass = 0;
};

} // namespace firstwatch::race
