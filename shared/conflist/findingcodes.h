// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace firstwatch::conflist::code {

inline constexpr int notParsed = 2001;
inline constexpr int emptyFile = 2002;
inline constexpr int nulBytes = 2003;
inline constexpr int ownRepeated = 2004;
inline constexpr int byteOrderMark = 2005;
inline constexpr int corruptibleNumber = 2007;
inline constexpr int duplicateKey = 2008;
inline constexpr int invalidUtf8 = 2009;
inline constexpr int fileMode = 2010;
inline constexpr int missingCniVersion = 2011;
inline constexpr int missingName = 2012;
inline constexpr int unusableName = 2013;
inline constexpr int rejectedField = 2014;
inline constexpr int listInConf = 2015;
inline constexpr int singleInConflist = 2016;
inline constexpr int emptyList = 2017;
inline constexpr int pluginsNotAList = 2018;
inline constexpr int dropInOnly = 2019;
inline constexpr int typeAndPlugins = 2020;
inline constexpr int loopbackOnly = 2021;
inline constexpr int onlyOurs = 2022;
inline constexpr int oursInDelegate = 2023;
inline constexpr int fileTooLarge = 2024;
inline constexpr int tooManyParts = 2025;
inline constexpr int conversionBlocked = 2026;
inline constexpr int conversionReferenced = 2027;
inline constexpr int versionRaised = 2028;
inline constexpr int conversionReorders = 2029;
inline constexpr int patchWouldNotLoad = 2030;
inline constexpr int patchChangesMore = 2031;
inline constexpr int ownNotLast = 2032;
inline constexpr int ownDrifted = 2033;
inline constexpr int confShadowsList = 2034;
inline constexpr int unknownCniVersion = 2035;
inline constexpr int networkTwice = 2036;
inline constexpr int clearSecret = 2037;
inline constexpr int binaryMissing = 2038;

} // namespace firstwatch::conflist::code
