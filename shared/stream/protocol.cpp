// SPDX-License-Identifier: Apache-2.0
#include "stream/protocol.h"

#include "journal/findingcodes.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QMessageAuthenticationCode>

#include <algorithm>

namespace firstwatch::stream {
namespace {

constexpr QLatin1String jsonrpcName("jsonrpc");
constexpr QLatin1String idName("id");
constexpr QLatin1String methodName("method");
constexpr QLatin1String paramsName("params");
constexpr QLatin1String resultName("result");
constexpr QLatin1String errorName("error");
constexpr QLatin1String codeName("code");
constexpr QLatin1String messageName("message");
constexpr QLatin1String dataName("data");

// Counted before anything is parsed, since a parser's own stack is what a deep line attacks.
int depthOf(const QByteArray &line)
{
    int depth = 0;
    int deepest = 0;
    bool inString = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (inString) {
            i += c == '\\' ? 1 : 0;
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            deepest = std::max(deepest, ++depth);
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return deepest;
}

std::optional<qint64> idOf(const QJsonObject &object)
{
    const QJsonValue id = object[idName];
    constexpr qint64 none = -1;
    return id.isDouble() && id.toInteger(none) > none ? std::optional(id.toInteger()) : std::nullopt;
}

Response responseOf(const QJsonObject &object, qint64 id)
{
    Response response{ id, object[resultName].toObject(), {}, {}, {} };
    if (!object.contains(errorName))
        return response;
    const QJsonObject error = object[errorName].toObject();
    response.error = ErrorCode(error[codeName].toInt(int(ErrorCode::InvalidRequest)));
    response.message = error[messageName].toString();
    response.data = error[dataName].toObject();
    return response;
}

Message messageOf(const QJsonObject &object)
{
    const std::optional<qint64> id = idOf(object);
    const bool isAnswer = object.contains(resultName) || object.contains(errorName);
    const auto malformed = [&id](const char *reason) {
        return Malformed{ ErrorCode::InvalidRequest, QLatin1String(reason), id };
    };
    if (object[jsonrpcName] != QLatin1String("2.0"))
        return malformed("\"jsonrpc\" has to be \"2.0\"");
    if (object[idName].isNull() && object.contains(errorName))
        return responseOf(object, answerToNobody);
    if (object.contains(idName) && !id)
        return malformed("\"id\" has to be a whole number from 0");
    const QJsonValue params = object[paramsName];
    if (!params.isObject() && !params.isUndefined())
        return malformed("\"params\" has to be an object");
    const QString method = object[methodName].toString();
    if (method.isEmpty()) {
        if (id && isAnswer)
            return responseOf(object, *id);
        return malformed("\"method\" is missing");
    }
    if (id)
        return Request{ *id, method, params.toObject() };
    return Notification{ method, params.toObject() };
}

QByteArray lineOf(QJsonObject object)
{
    object.insert(jsonrpcName, QStringLiteral("2.0"));
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace

Message parseMessage(const QByteArray &line)
{
    if (depthOf(line) > deepestJson)
        return Malformed{ ErrorCode::InvalidRequest, QStringLiteral("nested deeper than %1").arg(deepestJson), {} };
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    if (error.error != QJsonParseError::NoError)
        return Malformed{ ErrorCode::Parse, error.errorString(), {} };
    if (!document.isObject())
        return Malformed{ ErrorCode::InvalidRequest, QStringLiteral("one object a line; there are no batches"), {} };
    return messageOf(document.object());
}

QByteArray requestLine(qint64 id, const QString &method, const QJsonObject &params)
{
    return lineOf({ { idName, id }, { methodName, method }, { paramsName, params } });
}

QByteArray resultLine(qint64 id, const QJsonObject &result)
{
    return lineOf({ { idName, id }, { resultName, result } });
}

int findingOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Unauthorised:
        return journal::code::keyRefused;
    case ErrorCode::WrongMajor:
        return journal::code::incompatible;
    case ErrorCode::NotReady:
    case ErrorCode::BootChanged:
        return journal::code::startedAnew;
    default:
        return journal::code::requestRefused;
    }
}

QByteArray errorLine(std::optional<qint64> id, ErrorCode code, const QString &message, const QJsonObject &data)
{
    QJsonObject all = data;
    all.insert(codeName, QStringLiteral("FW%1").arg(findingOf(code)));
    const QJsonObject error{ { codeName, int(code) }, { messageName, message }, { dataName, all } };
    return lineOf({ { idName, id ? QJsonValue(*id) : QJsonValue() }, { errorName, error } });
}

QByteArray notificationLine(const QString &method, const QJsonObject &params)
{
    return lineOf({ { methodName, method }, { paramsName, params } });
}

QByteArray eventLine(const QByteArray &journalLine)
{
    return QByteArrayLiteral("{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":") + journalLine.trimmed() + "}\n";
}

QByteArray challengeCode(const QByteArray &key, const QByteArray &nonce, const QByteArray &cnonce,
    const QByteArray &boot, const QByteArray &node)
{
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, key);
    // Each part with its length, so that no two sets of parts are one text.
    for (const QByteArray &part : { QByteArrayLiteral("firstwatch1"), nonce, cnonce, boot, node }) {
        code.addData(QByteArray::number(part.size()) + ':');
        code.addData(part);
    }
    return code.result().toHex();
}

} // namespace firstwatch::stream
