// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <variant>

// The stream's language: JSON-RPC 2.0 (jsonrpc.org/specification), one object a line, UTF-8, "\n" ends a frame. What
// both ends must agree on, and nothing else.
namespace firstwatch::stream {

inline constexpr int protocolMajor = 1; // must match
inline constexpr int protocolMinor = 1; // additive: unknown fields, kinds and methods are borne
inline constexpr char protocolName[] = "firstwatch";

// Limits on what one side accepts from the other, in bytes of a line with its end.
inline constexpr qsizetype longestRequest = 16LL * 1024;
inline constexpr qsizetype longestFrame = 256LL * 1024;
inline constexpr int deepestJson = 32;
inline constexpr int mostMembers = 64; // of one object, in a request

// Error codes of the specification, and ours.
enum class ErrorCode {
    Parse = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    Unauthorised = -32001,
    NotReady = -32002,
    NotKept = -32004,
    Rate = -32005,
    TooLarge = -32006,
    BootChanged = -32010,
    WrongMajor = -32012,
};

struct Request {
    qint64 id = 0;
    QString method;
    QJsonObject params;
};
inline constexpr qint64 answerToNobody = -1; // to a line whose id could not be read ("id":null)

struct Response {
    qint64 id = 0;
    QJsonObject result; // empty when it is an error
    std::optional<ErrorCode> error;
    QString message;
    QJsonObject data;
};
struct Notification {
    QString method; // "hello", "event", "gap", "ping", "pong", "bye"
    QJsonObject params;
};
// Why a line is none of them.
struct Malformed {
    ErrorCode code = ErrorCode::Parse;
    QString reason;
    std::optional<qint64> id; // when it could be read
};
using Message = std::variant<Request, Response, Notification, Malformed>;

// One line, with or without its end. Never recurses deeper than deepestJson, whatever the line holds.
[[nodiscard]] Message parseMessage(const QByteArray &line);

// Each ends with "\n".
[[nodiscard]] QByteArray requestLine(qint64 id, const QString &method, const QJsonObject &params);
[[nodiscard]] QByteArray resultLine(qint64 id, const QJsonObject &result);
// What is wrong as a finding (journal/findingcodes.h), which "data" of every error names: "code":"FW9007".
[[nodiscard]] int findingOf(ErrorCode code);
[[nodiscard]] QByteArray errorLine(
    std::optional<qint64> id, ErrorCode code, const QString &message, const QJsonObject &data = {});
[[nodiscard]] QByteArray notificationLine(const QString &method, const QJsonObject &params);
// An event's own line as the parameters of "event", not parsed again.
[[nodiscard]] QByteArray eventLine(const QByteArray &journalLine);

// The code of the challenge: HMAC-SHA256 over "firstwatch1", nonce, cnonce, boot and node, each as its length in
// decimal,
// ":" and its bytes (RFC 2104), as hex digits. The server
// proves itself with the two nonces swapped.
[[nodiscard]] QByteArray challengeCode(const QByteArray &key, const QByteArray &nonce, const QByteArray &cnonce,
    const QByteArray &boot, const QByteArray &node);

} // namespace firstwatch::stream
