// SPDX-License-Identifier: Apache-2.0
#pragma once

// The codes of findings on a node, by name. Never reused and never renumbered: people have them in runbooks. What each
// means is in the table of codes.h; those about a config's content (20xx) belong to conflist.
namespace firstwatch::journal::code {

// 10xx: the watch
inline constexpr int watchNotProven = 1001;
inline constexpr int inotifyInstances = 1002; // EMFILE
inline constexpr int inotifyWatches = 1003; // ENOSPC
inline constexpr int queueOverflow = 1004;
inline constexpr int directoryReplaced = 1005; // or missing after it was there
inline constexpr int backendsDisagree = 1006;
inline constexpr int noEvents = 1007; // the file system takes watches and is silent
inline constexpr int staleMount = 1008;
inline constexpr int directoryMissing = 1009; // has not been there yet
inline constexpr int directoryUnreadable = 1010; // is there, and cannot be opened or listed

// 11xx: files in the net dir
inline constexpr int drift = 1101;
inline constexpr int contested = 1102;
inline constexpr int incomplete = 1103;
inline constexpr int symlinkOutside = 1104;
inline constexpr int notRegular = 1105;
inline constexpr int tooLarge = 1106;
inline constexpr int unreadable = 1107;
inline constexpr int missedByWatch = 1108;
inline constexpr int displaced = 1109;

// 12xx: writing
inline constexpr int readOnly = 1201;
inline constexpr int noSpace = 1202;
inline constexpr int renameFailed = 1203;
inline constexpr int foreignLeftover = 1204;
inline constexpr int permissionDenied = 1205;
inline constexpr int attributesLost = 1206;
inline constexpr int ioError = 1207;

// 13xx: service account and kubeconfig
inline constexpr int tokenUnreadable = 1301;
inline constexpr int tokenExpired = 1302;
inline constexpr int kubeconfigMode = 1303;
inline constexpr int noServiceAccount = 1304;
inline constexpr int noApiServer = 1305;
inline constexpr int twoTemplates = 1306;

// 14xx: the service itself
inline constexpr int lockHeld = 1401;
inline constexpr int historyOff = 1402;
inline constexpr int runtimeDirectory = 1403;
inline constexpr int badSetting = 1404;
inline constexpr int streamSocket = 1405;
inline constexpr int streamPort = 1406;
inline constexpr int healthPort = 1407;

// 30xx: plugin binaries
inline constexpr int noBinaries = 3001;
inline constexpr int binaryNotInstalled = 3002;
inline constexpr int binaryDeleted = 3003;
inline constexpr int binaryReadOnly = 3004;

// 90xx: a program on the desk that looks at nodes; never recorded by a service
inline constexpr int noKubectl = 9001;
inline constexpr int noKubeconfig = 9002;
inline constexpr int noPods = 9003;
inline constexpr int unreachable = 9004;
inline constexpr int incompatible = 9005;
inline constexpr int badCapture = 9006;
inline constexpr int keyRefused = 9007;
inline constexpr int captureNotWritten = 9008;
inline constexpr int forbidden = 9010;
inline constexpr int kubectlFailed = 9011;
inline constexpr int credentialPlugin = 9012;
inline constexpr int requestRefused = 9013;
inline constexpr int startedAnew = 9014;

} // namespace firstwatch::journal::code
