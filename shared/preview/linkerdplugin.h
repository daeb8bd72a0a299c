// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace firstwatch::preview {

// The template that is used when none is given: what the chart of linkerd2-cni renders with its default values.
[[nodiscard]] QByteArray linkerdTemplate();
// Where that puts the kubeconfig.
[[nodiscard]] QByteArray defaultKubeconfigPath();

} // namespace firstwatch::preview
