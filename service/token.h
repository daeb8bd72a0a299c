// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace firstwatch::service {

// When a token was issued and when it ends, in seconds since the epoch (RFC 7519 sections 4.1.4 and 4.1.6). Unverified:
// only the API server can tell whether it is good.
struct TokenTimes {
    std::optional<qint64> issued;
    std::optional<qint64> expires;

    [[nodiscard]] std::optional<qint64> ageSeconds(qint64 now) const;
    [[nodiscard]] std::optional<qint64> secondsLeft(qint64 now) const; // negative once expired
    [[nodiscard]] bool isExpired(qint64 now) const;
};
// Both empty for a token that is no JWT, as old service-account secrets may be.
[[nodiscard]] TokenTimes tokenTimes(const QByteArray &token);

// What the kubelet mounted. A projected volume is files behind the link "..data", which is swapped by one rename: all
// is read through one open of it, so that token and CA are of one generation.
struct ServiceAccount {
    sys::FileDescriptor directory;

    [[nodiscard]] static ServiceAccount open(const QByteArray &path);
    [[nodiscard]] bool isThere() const { return directory.isValid(); }
};

struct Token {
    QByteArray text; // the secret: for the kubeconfig only, never for a message
    QString error; // why there is none: missing, empty, not one word
};
[[nodiscard]] Token readToken(const ServiceAccount &account);

} // namespace firstwatch::service
