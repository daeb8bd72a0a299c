// SPDX-License-Identifier: Apache-2.0
#include "journal/redact.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace firstwatch::journal {
namespace {

// The allow-list: every field of event.h, then the settings of the service. CNI_NETWORK_CONFIG is left out on purpose,
// since it holds a whole template.
const QSet<QString> &allowedNames()
{
    static const QSet<QString> names = [] {
        constexpr const char *list[] = { // fields of events
            "active", "age_s", "backend", "clean", "code", "column", "count", "dir", "errno", "evidence", "expires",
            "file", "files", "holder", "interval_ms", "line", "margin_ns", "mask", "missed", "mode", "net_dir", "node",
            "ok", "pass", "patched", "pid", "probe", "probe_us", "reason", "recovered", "repatch", "retry_ms",
            "seen_ns", "settings", "sha", "sha_after", "sha_before", "state", "step", "summary", "text", "us",
            "version", "via", "waited_ms", "watch", "why", "witness",
            // members of "settings"
            "CNI_NETWORK_CONFIG_FILE", "CONTAINER_CNI_BIN_DIR", "CONTAINER_MOUNT_PREFIX", "DEST_CNI_BIN_DIR",
            "DEST_CNI_NET_DIR", "FIRSTWATCH_HISTORY_DIR", "FIRSTWATCH_RUNTIME_DIR", "FIRSTWATCH_SERVICE_ACCOUNT_DIR",
            "KUBECONFIG_FILE_NAME", "KUBECONFIG_MODE", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT",
            "KUBERNETES_SERVICE_PROTOCOL", "KUBE_CA_FILE", "SKIP_TLS_VERIFY"
        };
        QSet<QString> result;
        for (const char *name : list)
            result.insert(QString::fromLatin1(name));
        return result;
    }();
    return names;
}

QJsonValue shape(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::String:
        return QStringLiteral("‹string, %1 chars›").arg(value.toString().size());
    case QJsonValue::Double:
        return QStringLiteral("‹number›");
    case QJsonValue::Bool:
        return QStringLiteral("‹boolean›");
    case QJsonValue::Object:
        return QStringLiteral("‹object›");
    case QJsonValue::Array:
        return QStringLiteral("‹list›");
    default:
        return QJsonValue::Null;
    }
}

QString bounded(const QString &text)
{
    return text.size() <= maxText ? text : text.left(maxText) + QStringLiteral("… (%1 chars)").arg(text.size());
}

QJsonValue cleaned(const QJsonValue &value)
{
    if (value.isString())
        return redactedText(value.toString());
    if (value.isObject())
        return redacted(value.toObject());
    if (!value.isArray())
        return value;
    QJsonArray items;
    for (const QJsonValue item : value.toArray())
        items.append(cleaned(item));
    return items;
}

// The one list of names whose value is a secret, as the end of a name. Not "key" alone: etcd_key_file is a path.
constexpr QLatin1String secretNames(
    "(?:token|passwo?r?d|passphrase|pwd|psk|secret|(?:api|access|secret|private)[_-]?key|credentials?|"
    "(?:key|certificate|authority)-data)");

// One pass over the text; the group that matched says what it was. A block or a token that was cut off before its end
// counts too, hence the open ends.
const QRegularExpression &secretPattern()
{
    static const QRegularExpression pattern(
        QStringLiteral(
            // a PEM block, plain or as base64 (LS0tLS1CRUdJT is "-----BEGI")
            R"((?<pem>-----BEGIN[^-]*-----.*?(?:-----END[^-]*-----|\z)|LS0tLS1CRUdJT[A-Za-z0-9+/=]*))"
            // eyJ is '{"' in base64url: the head of every JWT
            R"(|(?<jwt>(?-i:eyJ)[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)*))"
            // a header, to the end of its line
            R"(|(?:(?<header>\bauthorization["'\\]*\s*[:=])[^\r\n]*))"
            R"(|(?:(?<bearer>\bbearer\s+)(?!token\b)[A-Za-z0-9._~+/=-]+))"
            // name: value, name=value, "name": "value"; but ".../token: No such file" is a path and its error
            R"(|(?:(?<name>(?<![\w/-])[\w-]*)"
            "%1"
            // quotes may be escaped, as in JSON within JSON and in a name that shownName() made
            R"((?:\\(?:x5c)?)*["']?\s*[:=]\s*)(?:(?:\\(?:x5c)?)*(?:"[^"\\]*|'[^'\\]*)|[^\s"',;&})\]]+)))")
            .arg(secretNames),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    return pattern;
}

bool holdsInAnyCase(QStringView text, QLatin1String lowerCase)
{
    const auto fits = [](QChar c, char wanted) { return (c.unicode() | 0x20U) == uint(wanted); };
    return std::search(text.begin(), text.end(), lowerCase.begin(), lowerCase.end(), fits) != text.end();
}

// Each alternative of the pattern needs one of these: most fields are a name, a word or a hash, and have none.
bool mayHoldSecret(const QString &text)
{
    const auto isHarmless = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'.'
            || c == u'-' || c == u'_' || c == u'/';
    };
    return !std::all_of(text.cbegin(), text.cend(), isHarmless) || holdsInAnyCase(text, QLatin1String("eyj"))
        || holdsInAnyCase(text, QLatin1String("-----")) || holdsInAnyCase(text, QLatin1String("ls0tls1c"));
}

QString replacement(const QRegularExpressionMatch &match)
{
    const QString kept = match.captured(u"header") + match.captured(u"bearer") + match.captured(u"name");
    const qsizetype chars = match.capturedLength() - kept.size();
    return kept + QStringLiteral("‹cut, %1 chars›").arg(chars);
}

} // namespace

QJsonObject redacted(const QJsonObject &fields)
{
    QJsonObject result = fields; // shared with them, as there is rarely something to cut
    for (auto field = fields.constBegin(); field != fields.constEnd(); ++field) {
        const QJsonValue value = field.value();
        const QJsonValue shown = allowedNames().contains(field.key()) ? cleaned(value) : shape(value);
        if (shown != value)
            result.insert(field.key(), shown);
    }
    return result;
}

bool isSecretName(const QString &name)
{
    static const QRegularExpression pattern(
        QStringLiteral("(?:%1|authorization|bearer)$").arg(secretNames), QRegularExpression::CaseInsensitiveOption);
    return pattern.match(name).hasMatch();
}

QString redactedText(const QString &fullText)
{
    // Bounded first, so that the pattern cannot reach a limit of the matcher, which would look like no match.
    const QString text = bounded(fullText);
    if (!mayHoldSecret(text))
        return text;
    QString result;
    qsizetype done = 0;
    for (auto matches = secretPattern().globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        result += text.mid(done, match.capturedStart() - done) + replacement(match);
        done = match.capturedEnd();
    }
    return done == 0 ? text : result + text.mid(done);
}

} // namespace firstwatch::journal
