// SPDX-License-Identifier: Apache-2.0
#include "schedule.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace firstwatch::test {

bool isLongRun()
{
    return qEnvironmentVariableIntValue("FIRSTWATCH_LONG") != 0;
}

void allowLongRuns()
{
    constexpr char dayMs[] = "86400000";
    if (isLongRun())
        qputenv("QTEST_FUNCTION_TIMEOUT", dayMs);
}

QStringList inParallel(int count, int threads, const std::function<QString(int number)> &job)
{
    std::atomic<int> next = 0;
    std::mutex mutex;
    QStringList failures;
    const auto work = [&] {
        for (int number = next++; number < count; number = next++) {
            const QString failure = job(number);
            const std::scoped_lock lock(mutex);
            if (!failure.isEmpty())
                failures.append(failure);
        }
    };
    std::vector<std::thread> workers;
    workers.reserve(size_t(threads));
    for (int i = 0; i < threads; ++i)
        workers.emplace_back(work);
    for (std::thread &worker : workers)
        worker.join();
    return failures;
}

Schedules::Schedules()
    : m_seed(qEnvironmentVariableIsSet("FIRSTWATCH_SEED") ? quint32(qEnvironmentVariableIntValue("FIRSTWATCH_SEED"))
                                                          : QRandomGenerator::global()->bounded(1'000'000'000U))
{
}

QStringList Schedules::run(int count, int threads, const std::function<QString(QRandomGenerator &random)> &job) const
{
    return inParallel(count, threads, [&](int number) {
        QRandomGenerator random(m_seed + quint32(number));
        const QString failure = job(random);
        return failure.isEmpty()
            ? failure
            : QStringLiteral("FIRSTWATCH_SEED=%1, schedule %2: %3").arg(m_seed).arg(number).arg(failure);
    });
}

} // namespace firstwatch::test
