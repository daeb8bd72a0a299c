// SPDX-License-Identifier: Apache-2.0
#include "service/http.h"

#include <QByteArrayList>

namespace firstwatch::service {
namespace {

using Parse = HttpRequest::Parse;

// A line may end in a lone LF (RFC 9112 section 2.2): `printf 'GET /livez HTTP/1.0\n\n' | nc` is a probe as well.
bool isWhole(const QByteArray &head)
{
    return head.contains("\n\r\n") || head.contains("\n\n");
}

QByteArray reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable";
    default:
        return "Bad Request";
    }
}

} // namespace

HttpRequest parseRequest(const QByteArray &head)
{
    // TLS, another protocol: no end of a head is to be waited for.
    if (!head.isEmpty() && (head.front() < 'A' || head.front() > 'Z'))
        return { Parse::Malformed, {}, false };
    if (!isWhole(head))
        return {};
    QByteArray line = head.first(head.indexOf('\n'));
    if (line.endsWith('\r'))
        line.chop(1);
    const QByteArrayList words = line.split(' ');
    if (words.size() != 3 || !words.at(1).startsWith('/') || (words.at(2) != "HTTP/1.1" && words.at(2) != "HTTP/1.0"))
        return { Parse::Malformed, {}, false };
    const bool headOnly = words.at(0) == "HEAD";
    if (!headOnly && words.at(0) != "GET")
        return { Parse::WrongMethod, {}, false };
    const QByteArray &target = words.at(1);
    const qsizetype query = target.indexOf('?');
    return { Parse::Good, query < 0 ? target : target.first(query), headOnly };
}

QByteArray answerBytes(const HttpAnswer &answer, bool headOnly)
{
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(answer.status) + ' ' + reason(answer.status)
        + "\r\nContent-Type: " + answer.type + "\r\nContent-Length: " + QByteArray::number(answer.text.size())
        + "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n";
    if (answer.status == 405)
        bytes += "Allow: GET, HEAD\r\n";
    return bytes + "\r\n" + (headOnly ? QByteArray() : answer.text);
}

} // namespace firstwatch::service
