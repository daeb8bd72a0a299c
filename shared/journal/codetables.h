// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/codes.h"

// The parts of the table of codes.h, one file for each area.
namespace firstwatch::journal {

[[nodiscard]] QList<CodeEntry> watchCodes(); // 10xx
[[nodiscard]] QList<CodeEntry> fileCodes(); // 11xx
[[nodiscard]] QList<CodeEntry> writeCodes(); // 12xx
[[nodiscard]] QList<CodeEntry> serviceCodes(); // 13xx, 14xx
[[nodiscard]] QList<CodeEntry> configCodes(); // 20xx, about what is in a config
[[nodiscard]] QList<CodeEntry> binaryCodes(); // 30xx
[[nodiscard]] QList<CodeEntry> clientCodes(); // 90xx

} // namespace firstwatch::journal
