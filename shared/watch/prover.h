// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watch/inotify.h"
#include "watch/proof.h"
#include "watch/witness.h"

#include <QObject>
#include <QTimer>

namespace firstwatch::watch {

// Sends a probe through an armed watch and waits until its event comes back: three tries, 250 ms each, counted in the
// time of the event loop, so that a process stopped for seconds is not taken for a watch that failed.
class Prover final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Prover)
public:
    static constexpr int deadlineMs = 250;
    static constexpr int tries = 3;

    struct Subject {
        int directory = -1; // open descriptor, outlives the proof
        int watch = -1;
        qint64 armedNs = 0;
        sys::Identity identity;
    };

    Prover(Inotify &inotify, Witness &witness, QObject *parent = nullptr);

    void start(const Subject &subject);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_step != Step::Idle; }

Q_SIGNALS:
    void proven(const firstwatch::watch::Proof &proof); // the native watch works; the witness is still being heard
    void ready(const firstwatch::watch::Proof &proof); // the witness has spoken, or its time is over
    void failed(); // no probe came back

private:
    enum class Step { Idle, Native, Witness };
    void attempt();
    void sendProbe();
    void hear(const Change &change);
    void hearWitness();
    void nativeBack();
    void deadline();
    void conclude(WitnessWord word);

    Inotify &m_inotify;
    Witness &m_witness;
    QTimer m_timer;
    Subject m_subject;
    Proof m_proof;
    Step m_step = Step::Idle;
    quint32 m_expected = 0;
    int m_attempt = 0;
    quint32 m_run = 0; // counts start() and cancel(): delivering events may call either
    bool m_witnessed = false;
};

} // namespace firstwatch::watch
