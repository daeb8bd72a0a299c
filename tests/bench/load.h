// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace firstwatch::bench {

// A connection to a stream, or to the queue before it; tried again while that is full. Non-blocking.
[[nodiscard]] sys::FileDescriptor connectTo(const std::string &socketPath);
void say(const sys::FileDescriptor &socket, const std::string &lines);
[[nodiscard]] std::string helloLine();
[[nodiscard]] std::string subscribeLine(uint64_t since);

// Work in a thread of its own until the object goes. At ordinary priority whatever the measuring thread has: clients
// are other people's programs.
class Worker {
public:
    Worker() = default;
    virtual ~Worker() = default;
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;

protected:
    void start();
    void stop(); // in the destructor of whoever has started
    [[nodiscard]] bool isStopping() const { return m_stopping; }
    virtual void run() = 0;

private:
    std::atomic<bool> m_stopping = false;
    std::thread m_thread;
};

// So many clients that read all that is sent to them and count it. They have their first events when they are made.
class Readers final : public Worker {
public:
    Readers(const std::string &socketPath, int count);
    ~Readers() override;

    void catchUp(); // waits until each has the last event that the server has
    // Asks for every event that the server has, for each anew, and waits until each has the last one. They have caught
    // up before. Gives back how many events came.
    uint64_t replay();
    [[nodiscard]] uint64_t events() const { return m_events; } // of all clients together

private:
    struct Reader {
        sys::FileDescriptor socket;
        std::string rest; // of a frame that has not come whole
        std::atomic<uint64_t> last = 0; // seq
    };
    void run() override;
    bool read(Reader &reader);
    void take(Reader &reader, std::string_view frame);
    void takeOther(Reader &reader, std::string_view frame);
    [[nodiscard]] uint64_t askForLast();
    void awaitAll(uint64_t last) const;

    std::vector<std::unique_ptr<Reader>> m_readers;
    std::atomic<uint64_t> m_told = 0; // the server's last seq, 0 while it is asked for
    std::atomic<uint64_t> m_events = 0;
};

// Asks for all, and never reads a byte.
class DeafClient {
public:
    explicit DeafClient(const std::string &socketPath);

private:
    sys::FileDescriptor m_socket;
};

// Connects as often as it can, says something foul, and goes.
class Storm final : public Worker {
public:
    explicit Storm(std::string socketPath);
    ~Storm() override;

private:
    void run() override;
    std::string m_path;
};

// Takes each place that is free for those who have not said hello, and says a byte every now and then.
class SlowLoris final : public Worker {
public:
    explicit SlowLoris(std::string socketPath);
    ~SlowLoris() override;

private:
    void run() override;
    std::string m_path;
};

} // namespace firstwatch::bench
