// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

#include <functional>

namespace firstwatch::sys {

// Called before the syscall that `point` names. Returns the errno to fail with, or 0 to go on.
// firstwatch_nofaults (linked into what is shipped) always returns 0. firstwatch_faults obeys a list of rules,
// "POINT:key=value,key=value;POINT:…", from setFaults() or the variable FIRSTWATCH_FAULTS:
//   errno=NAME    fail with that errno            kill=1     raise SIGKILL
//   sleep=MS      sleep first                     skip=N     let the first N calls pass
//   count=N       act on N calls, then pass       drop=1     (watch.read) swallow what was read
//   while=FILE    act only while that file exists; the calls between do not count
// "POINT" may end in '*'.
[[nodiscard]] int faultAt(const char *point);

// The pseudo errno that a `drop` rule returns; only inotify reads know it.
inline constexpr int dropped = -1;

// Tests only (firstwatch_faults): replaces all rules; counters start anew.
void setFaults(const QByteArray &rules);
// Tests only: the points that were passed since setFaults(), in order, at most 100 000.
[[nodiscard]] QList<QByteArray> passedPoints();
// Tests only: called at each point before its rules, so that something can happen at exactly that moment. It may not
// call into this layer. Empty: nothing is called.
using PointHook = std::function<void(const char *point)>;
void setPointHook(PointHook hook);

} // namespace firstwatch::sys
