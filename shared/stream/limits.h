// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace firstwatch::stream {

// What one server bears at most. The defaults are what is shipped; tests set shorter times.
struct Limits {
    int clients = 16;
    int withoutHello = 8; // of them, or still closing: more are left to wait in the kernel's queue
    int backlog = 16; // of that queue
    double opensPerSecond = 20;
    double requestsPerSecond = 50; // of one client
    double requestBurst = 100;
    qsizetype atATime = 256LL * 1024; // bytes of events handed to a client that has not taken them yet
    int helloMs = 2000;
    int challengeMs = 5000; // the same where the hello answers a challenge: the life of its nonce
    int pingMs = 15'000;
    int misses = 2; // pings without any word in return
    int stallMs = 60'000; // not one byte taken
    int snapshotMs = 10'000; // that the rest of one is kept for its client, since its last part
    int failureMs = 200; // what a failed challenge costs
    int failures = 5; // of challenges within failureWindowMs; then none is taken for as long
    int failureWindowMs = 60'000;
    int lingerMs = 2000;
    qint64 lingerBytes = 1024LL * 1024;
};

} // namespace firstwatch::stream
