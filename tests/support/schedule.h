// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRandomGenerator>
#include <QString>
#include <QStringList>

#include <functional>

namespace firstwatch::test {

// FIRSTWATCH_LONG asks for the full figures; without it a size that fits into every run of all tests.
[[nodiscard]] bool isLongRun();
[[nodiscard]] inline int sized(int usual, int full)
{
    return isLongRun() ? full : usual;
}

// Call it in the test class's initMain(): the full figures take longer than Qt Test lets one function run.
void allowLongRuns();

// Runs the jobs 0 … count-1 on several threads. Gives back what went wrong; a job gives back nothing when all went
// well.
QStringList inParallel(int count, int threads, const std::function<QString(int number)> &job);

// Random schedules, run on several threads. Each has a random generator of its own, made from the seed and its number,
// so that FIRSTWATCH_SEED=<seed> runs the same schedules again.
class Schedules {
public:
    Schedules();
    // As above, each failure with seed and number.
    QStringList run(int count, int threads, const std::function<QString(QRandomGenerator &random)> &job) const;

private:
    quint32 m_seed = 0;
};

} // namespace firstwatch::test
