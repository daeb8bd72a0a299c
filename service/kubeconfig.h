// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/settings.h"
#include "service/token.h"

namespace firstwatch::service {

// The plugin's kubeconfig in the net dir. Each call looks at the world anew, so that a swapped token or a replaced net
// dir is followed by calling again. No text that it gives back holds a secret.
class Kubeconfig {
public:
    explicit Kubeconfig(const Settings &settings);

    // Why the service must not start: there is a token to hand on, but no usable address of the API server. Empty when
    // all is well. Touches nothing.
    [[nodiscard]] QString refusal() const;

    enum class Outcome {
        Written, // new content, or a first one
        Unchanged, // it was as it should be; a wrong mode was put right
        Kept, // nothing good to write (1301, 1302, 1305): what was there stays
        NoToken, // no service-account directory, so none is written (1304)
        Failed, // it could not be written (12xx): what was there stays
    };
    struct Result {
        Outcome outcome = Outcome::Failed;
        QList<Finding> findings; // what is wrong now; a code that is not in it is closed
        TokenTimes token; // of the token that the kubeconfig now holds
        bool rotated = false; // another token took the place of one that was there
    };
    // `now` in seconds since the epoch.
    [[nodiscard]] Result refresh(qint64 now) const;

    struct Removal {
        bool done = false; // nothing of ours is left
        QString error;
    };
    // Takes away what refresh() wrote; a kubeconfig of another installer stays.
    [[nodiscard]] Removal remove() const;

private:
    Settings m_settings;
};

} // namespace firstwatch::service
