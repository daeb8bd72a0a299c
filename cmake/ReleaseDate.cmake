# SPDX-License-Identifier: Apache-2.0
# FIRSTWATCH_DATE, the day of this version, for what is dated and not part of a program: changed together with the
# version. SOURCE_DATE_EPOCH goes before it (reproducible-builds.org), as where a distribution builds with changes of its
# own. Never the day of the build: two builds give the same pages.
set(FIRSTWATCH_DATE 2026-11-30)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    string(TIMESTAMP FIRSTWATCH_DATE %Y-%m-%d UTC) # takes the variable for the present
endif()
