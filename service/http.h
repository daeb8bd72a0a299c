// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

// As much of HTTP/1.1 (RFC 9112) as a probe needs: one request without a body, one answer, the end.
namespace firstwatch::service {

struct HttpAnswer {
    int status = 200;
    QByteArray text;
    QByteArray type = "text/plain; charset=utf-8";
};

struct HttpRequest {
    enum class Parse {
        Incomplete, // more has to come
        Malformed, // no HTTP, or none of version 1
        WrongMethod,
        Good,
    };
    Parse parse = Parse::Incomplete;
    QByteArray path; // without the query; only when good
    bool headOnly = false;
};

// `head` is what has come so far. Its header fields are not looked at: nothing depends on them.
[[nodiscard]] HttpRequest parseRequest(const QByteArray &head);

// The whole answer; after it the connection is closed.
[[nodiscard]] QByteArray answerBytes(const HttpAnswer &answer, bool headOnly);

} // namespace firstwatch::service
