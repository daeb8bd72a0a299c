// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <poll.h>
#include <sched.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace firstwatch::bench {
namespace {

constexpr int retryUs = 20'000;
constexpr int lookAgainUs = 100;
constexpr int pollMs = 50; // how long the end of a worker may take
constexpr int stormUs = 200; // until the queue of connections is tried again
constexpr int slowByteUs = 100'000;
constexpr size_t places = 8; // for clients without hello

sys::FileDescriptor tryToConnect(const std::string &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy_n(path.begin(), std::min(path.size(), sizeof address.sun_path - 1), address.sun_path);
    sys::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const void *const raw = &address;
    if (::connect(socket.get(), static_cast<const sockaddr *>(raw), sizeof address) != 0)
        socket.reset();
    return socket;
}

constexpr std::string_view event = R"({"jsonrpc":"2.0","method":"event")";
constexpr std::string_view answer = R"({"id":3,)"; // to the question for the last seq

// 0 when there is none.
uint64_t seqOf(std::string_view frame)
{
    constexpr std::string_view name = R"("seq":)";
    const size_t at = frame.find(name);
    uint64_t seq = 0;
    if (at != std::string_view::npos)
        std::from_chars(frame.data() + at + name.size(), frame.data() + frame.size(), seq);
    return seq;
}

} // namespace

sys::FileDescriptor connectTo(const std::string &socketPath)
{
    sys::FileDescriptor socket = tryToConnect(socketPath);
    for (; !socket.isValid(); socket = tryToConnect(socketPath))
        ::usleep(retryUs);
    return socket;
}

void say(const sys::FileDescriptor &socket, const std::string &lines)
{
    if (::send(socket.get(), lines.data(), lines.size(), MSG_NOSIGNAL) != ssize_t(lines.size()))
        std::abort(); // a few bytes into an empty buffer: no figure would mean anything
}

std::string helloLine()
{
    return R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{"major":1,"client":"bench"}})"
           "\n";
}

std::string subscribeLine(uint64_t since)
{
    return R"({"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"since":)" + std::to_string(since) + "}}\n";
}

void Worker::start()
{
    m_thread = std::thread([this] {
        const sched_param usual{};
        ::sched_setscheduler(0, SCHED_OTHER, &usual);
        run();
    });
}

void Worker::stop()
{
    m_stopping = true;
    m_thread.join();
}

Readers::Readers(const std::string &socketPath, int count)
{
    for (int i = 0; i < count; ++i) {
        m_readers.push_back(std::make_unique<Reader>());
        m_readers.back()->socket = connectTo(socketPath);
        say(m_readers.back()->socket, helloLine() + subscribeLine(0));
    }
    start();
    for (const auto &reader : m_readers)
        reader->last.wait(0);
}

Readers::~Readers()
{
    stop();
}

uint64_t Readers::askForLast()
{
    m_told = 0;
    say(m_readers.front()->socket,
        R"({"jsonrpc":"2.0","id":3,"method":"ping"})"
        "\n");
    m_told.wait(0);
    return m_told;
}

void Readers::awaitAll(uint64_t last) const
{
    const auto hasAll = [last](const auto &reader) { return reader->last >= last; };
    while (!std::all_of(m_readers.begin(), m_readers.end(), hasAll))
        ::usleep(lookAgainUs);
}

void Readers::catchUp()
{
    awaitAll(askForLast());
}

uint64_t Readers::replay()
{
    const uint64_t last = askForLast();
    const uint64_t before = m_events;
    for (const auto &reader : m_readers)
        reader->last = 0;
    for (const auto &reader : m_readers)
        say(reader->socket, subscribeLine(0));
    awaitAll(last);
    return m_events - before;
}

void Readers::run()
{
    std::vector<pollfd> sockets;
    for (const auto &reader : m_readers)
        sockets.push_back({ reader->socket.get(), POLLIN, 0 });
    while (!isStopping()) {
        ::poll(sockets.data(), sockets.size(), pollMs);
        for (size_t i = 0; i < sockets.size(); ++i) {
            if (sockets[i].revents != 0 && !read(*m_readers[i]))
                sockets[i].fd = -1; // sent away
        }
    }
}

bool Readers::read(Reader &reader)
{
    std::array<char, 65536> bytes{};
    const ssize_t size = ::recv(reader.socket.get(), bytes.data(), bytes.size(), 0);
    if (size <= 0)
        return size < 0 && errno == EAGAIN;
    reader.rest.append(bytes.data(), size_t(size));
    size_t begin = 0;
    for (size_t end = reader.rest.find('\n'); end != std::string::npos; end = reader.rest.find('\n', begin)) {
        take(reader, std::string_view(reader.rest).substr(begin, end - begin));
        begin = end + 1;
    }
    reader.rest.erase(0, begin);
    return true;
}

void Readers::take(Reader &reader, std::string_view frame)
{
    const uint64_t seq = frame.starts_with(event) ? seqOf(frame) : 0;
    if (seq == 0)
        return takeOther(reader, frame);
    ++m_events;
    if (reader.last.exchange(seq) == 0)
        reader.last.notify_all();
}

void Readers::takeOther(Reader &reader, std::string_view frame)
{
    if (frame.find(R"("method":"ping")") != std::string_view::npos)
        say(reader.socket, "{\"jsonrpc\":\"2.0\",\"method\":\"pong\"}\n");
    if (!frame.starts_with(answer))
        return;
    m_told = seqOf(frame);
    m_told.notify_all();
}

DeafClient::DeafClient(const std::string &socketPath)
    : m_socket(connectTo(socketPath))
{
    say(m_socket, helloLine() + subscribeLine(0));
}

Storm::Storm(std::string socketPath)
    : m_path(std::move(socketPath))
{
    start();
}

Storm::~Storm()
{
    stop();
}

void Storm::run()
{
    while (!isStopping()) {
        const sys::FileDescriptor socket = tryToConnect(m_path);
        if (socket.isValid())
            (void)::send(socket.get(), "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL);
        else
            ::usleep(stormUs); // it is the service that is measured, not who gets the processor
    }
}

SlowLoris::SlowLoris(std::string socketPath)
    : m_path(std::move(socketPath))
{
    start();
}

SlowLoris::~SlowLoris()
{
    stop();
}

void SlowLoris::run()
{
    std::vector<sys::FileDescriptor> sockets(places);
    while (!isStopping()) {
        for (sys::FileDescriptor &socket : sockets) {
            if (!socket.isValid() || ::send(socket.get(), "{", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
                socket = tryToConnect(m_path);
        }
        ::usleep(slowByteUs);
    }
}

} // namespace firstwatch::bench
