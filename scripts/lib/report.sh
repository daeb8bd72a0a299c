# SPDX-License-Identifier: Apache-2.0
# Sourced by ./check, ./demo and the script tests: progress lines, and the count of what passed, failed and was skipped.
# shellcheck shell=bash disable=SC2034 # what a sourcing script uses is not seen here

report_passed=0
report_failed=0
report_skipped=0

# Colour only where a person looks at it: a terminal, and no wish against it (https://no-color.org).
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
    c_bold=$'\e[1m' c_dim=$'\e[2m' c_red=$'\e[31m' c_green=$'\e[32m' c_yellow=$'\e[33m' c_blue=$'\e[34m' c_off=$'\e[0m'
else
    c_bold='' c_dim='' c_red='' c_green='' c_yellow='' c_blue='' c_off=''
fi

step() { printf '%s== %s%s\n' "$c_bold" "$*" "$c_off"; }

ok() {
    report_passed=$((report_passed + 1))
    printf '%sok%s    %s\n' "$c_green" "$c_off" "$*"
}

fail() {
    report_failed=$((report_failed + 1))
    printf '%sFAIL%s  %s\n' "$c_red" "$c_off" "$*"
}

skip() {
    report_skipped=$((report_skipped + 1))
    printf '%sskip%s  %s\n' "$c_yellow" "$c_off" "$*"
}

# prove TEXT COMMAND…: one check; COMMAND's success decides.
prove() {
    local text=$1
    shift
    if "$@"; then ok "$text"; else fail "$text"; fi
}

# The last line of every script that checks something. Fails when a check failed or none was made.
summary() {
    local skipped=''
    [ "$report_skipped" -eq 0 ] || skipped=", $report_skipped skipped"
    printf '%d passed, %d failed%s\n' "$report_passed" "$report_failed" "$skipped"
    [ "$report_failed" -eq 0 ] && [ "$report_passed" -gt 0 ]
}
