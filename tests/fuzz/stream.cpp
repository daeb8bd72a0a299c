// SPDX-License-Identifier: Apache-2.0
// What a client and a server read of each other, and what is read of a capture.
#include "journal/nodeview.h"
#include "stream/capture.h"
#include "stream/linesplitter.h"
#include "stream/protocol.h"

#include <QJsonDocument>

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::stream;

namespace {

void require(bool holds, const char *rule)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", rule);
    std::abort();
}

void checkLine(const QByteArray &line)
{
    const Message message = parseMessage(line);
    if (const auto *request = std::get_if<Request>(&message)) {
        const Message again = parseMessage(requestLine(request->id, request->method, request->params));
        const auto *same = std::get_if<Request>(&again);
        require(same && same->id == request->id && same->method == request->method && same->params == request->params,
            "a request is written as it was read");
    }
    if (const std::optional<journal::Event> event = capturedEvent(line))
        require(journal::fromLine(journal::toLine(*event)) == event, "an event is written as it was read");
}

// The same cut in two places as in one piece.
void checkStream(const QByteArray &bytes)
{
    LineSplitter whole(longestRequest);
    LineSplitter pieces(longestRequest);
    const qsizetype half = bytes.size() / 2;
    const bool isGood = whole.append(bytes);
    const bool isGoodInPieces = pieces.append(bytes.first(half)) && pieces.append(bytes.sliced(half));
    require(isGood == isGoodInPieces, "a cut changes nothing");
    while (const std::optional<QByteArray> line = whole.next()) {
        require(pieces.next() == line, "a cut changes no line");
        checkLine(*line);
    }
}

void checkView(const QByteArray &bytes)
{
    const QJsonObject json = journal::NodeView::fromJson(QJsonDocument::fromJson(bytes).object()).toJson();
    require(journal::NodeView::fromJson(json).toJson() == json, "a view is restored as it was saved");
}

void checkCapture(const QByteArray &bytes)
{
    constexpr qint64 most = 1024LL * 1024;
    static const int file = ::memfd_create("capture", MFD_CLOEXEC);
    require(::ftruncate(file, 0) == 0 && ::pwrite(file, bytes.constData(), size_t(bytes.size()), 0) == bytes.size(),
        "there is memory");
    const Capture capture = readCapture("/proc/self/fd/" + QByteArray::number(file), most);
    require(capture.events.size() + capture.torn <= most, "no more is read than is allowed");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    checkStream(bytes);
    checkView(bytes);
    checkCapture(bytes);
    return 0;
}
