// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/walk.h"

namespace firstwatch::preview {

// What an archive may cost, so that a hostile one costs no more.
struct ArchiveLimits {
    qint64 unpacked = qint64(8) << 30; // bytes that are read at all, when it is compressed
    qint64 kept = qint64(64) << 20; // bytes of all files with names of configs, and of these names and their folders'
};

// Visits the net dirs of an archive as walk() does those of a folder: "report.tar.gz!/etc/cni/net.d". It is read once
// and never unpacked to the disk. Of what cannot be read to its end, that is said, and what came before is visited.
void walkArchive(const QByteArray &path, const Found &found, const ArchiveLimits &limits = {});

} // namespace firstwatch::preview
