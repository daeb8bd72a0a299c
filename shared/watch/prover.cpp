// SPDX-License-Identifier: Apache-2.0
#include "watch/prover.h"

#include "sys/clock.h"

#include <sys/inotify.h>

namespace firstwatch::watch {

Prover::Prover(Inotify &inotify, Witness &witness, QObject *parent)
    : QObject(parent)
    , m_inotify(inotify)
    , m_witness(witness)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Prover::deadline);
    connect(&m_inotify, &Inotify::changed, this, &Prover::hear);
    connect(&m_witness, &Witness::seen, this, &Prover::hearWitness);
}

void Prover::start(const Subject &subject)
{
    cancel();
    const quint32 run = m_run;
    // What is queued already is not an answer to this probe. It may also be news that ends the subject: the owner then
    // cancels, or starts with another one, before this call goes on.
    m_inotify.drain();
    if (run != m_run)
        return;
    m_subject = subject;
    m_proof = Proof();
    m_proof.m_armedNs = subject.armedNs;
    m_proof.m_directory = subject.identity;
    m_step = Step::Native;
    m_attempt = 0;
    attempt();
}

void Prover::cancel()
{
    ++m_run;
    m_timer.stop();
    m_step = Step::Idle;
}

void Prover::attempt()
{
    ++m_attempt;
    m_witnessed = false;
    m_timer.start(deadlineMs);
    sendProbe();
    m_inotify.drain(); // the kernel queues the event before the probe's call returns
}

void Prover::sendProbe()
{
    m_proof.m_probe = ProbeKind::Chmod;
    m_expected = IN_ATTRIB;
    m_proof.m_probedNs = sys::bootTimeNs();
    if (sys::probeByChmod(m_subject.directory) == 0)
        return;
    m_proof.m_probe = ProbeKind::Open;
    m_expected = IN_OPEN;
    if (m_inotify.widen(m_subject.directory, m_subject.watch, IN_OPEN)) {
        m_proof.m_probedNs = sys::bootTimeNs();
        (void)sys::probeByOpen(m_subject.directory); // a failure shows as a probe that never comes back
    }
}

void Prover::hear(const Change &change)
{
    const bool ours = change.watch == m_subject.watch && change.name.isEmpty() && (change.mask & m_expected) != 0;
    if (m_step == Step::Native && ours)
        nativeBack();
}

void Prover::hearWitness()
{
    m_witnessed = true;
    if (m_step == Step::Witness)
        conclude(WitnessWord::Confirmed);
}

void Prover::nativeBack()
{
    m_proof.m_provenNs = sys::bootTimeNs();
    if (m_proof.m_probe == ProbeKind::Open)
        m_inotify.widen(m_subject.directory, m_subject.watch, 0);
    m_step = Step::Witness;
    m_timer.start(deadlineMs); // of its own: a native event that came late must not make the witness late
    const quint32 run = m_run;
    Q_EMIT proven(m_proof);
    if (run != m_run)
        return;
    if (!m_witness.isArmed())
        conclude(WitnessWord::Absent);
    else if (m_proof.m_probe == ProbeKind::Open)
        conclude(WitnessWord::NotAsked);
    else if (m_witnessed)
        conclude(WitnessWord::Confirmed);
}

void Prover::deadline()
{
    const int attemptOfTimer = m_attempt;
    m_inotify.drain();
    // One more turn of the loop: after a pause the timer may be due before the sockets are looked at.
    QTimer::singleShot(0, this, [this, attemptOfTimer] {
        if (m_attempt != attemptOfTimer || m_timer.isActive())
            return;
        if (m_step == Step::Witness) {
            conclude(WitnessWord::Late);
        } else if (m_step == Step::Native && m_attempt < tries) {
            attempt();
        } else if (m_step == Step::Native) {
            cancel();
            Q_EMIT failed();
        }
    });
}

void Prover::conclude(WitnessWord word)
{
    cancel();
    m_proof.m_witness = word;
    Q_EMIT ready(m_proof);
}

} // namespace firstwatch::watch
