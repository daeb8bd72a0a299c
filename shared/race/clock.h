// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <functional>
#include <map>

namespace firstwatch::race {

// The time of a simulation: jobs in the order of their moments, those of one moment in the order in which they were
// asked for. Nothing here knows the real time.
class Clock {
public:
    using Job = std::function<void()>;

    explicit Clock(qint64 beginNs)
        : m_nowNs(beginNs)
    {
    }

    [[nodiscard]] qint64 nowNs() const { return m_nowNs; }
    void at(qint64 ns, Job job) { m_jobs.emplace(ns > m_nowNs ? ns : m_nowNs, std::move(job)); }
    void after(qint64 ns, Job job) { at(m_nowNs + ns, std::move(job)); }
    // Up to that moment and with it. False when there was too much to do, which is more than any schedule asks for.
    bool run(qint64 untilNs)
    {
        for (int jobs = 0; !m_jobs.empty() && m_jobs.begin()->first <= untilNs; ++jobs) {
            if (jobs == mostJobs)
                return false;
            auto next = m_jobs.extract(m_jobs.begin());
            m_nowNs = next.key();
            next.mapped()();
        }
        m_nowNs = untilNs;
        return true;
    }

private:
    static constexpr int mostJobs = 2'000'000;

    qint64 m_nowNs;
    std::multimap<qint64, Job> m_jobs;
};

} // namespace firstwatch::race
