# SPDX-License-Identifier: Apache-2.0
# Events of the service and notes of ./demo (one JSON object a line, slurped), as lines of at most 100 columns. Time
# zero is when the program was started.
# $from: the wall time after which lines are shown. $bold, $dim, $green, $yellow, $red, $off: colours or nothing.

def micros: ((.[0:19] + "Z") | fromdateiso8601) * 1000000 + (.[20:26] | tonumber);

# Three decimals, right-aligned: 12.345
def ms($width): (. / 1000 | . * 1000 | round / 1000 | tostring) as $text
    | ($text | split(".")) as $parts
    | ($parts[0] + "." + ((($parts[1] // "") + "000")[0:3]))
    | (" " * ([$width - length, 0] | max)) + .;

# With its sign; in µs below 1 ms.
def margin: (if . < 0 then "−" else "+" end) as $sign | (if . < 0 then -. else . end)
    | if . < 1000000 then "\($sign)\(. / 1000 | round) µs" else "\($sign)\(. / 100000 | round / 10) ms" end;

def cut($width): if length > $width then .[0:$width - 1] + "…" else . end;

def column($width): . + (" " * ([$width - length, 1] | max));

def after($events): .wall as $wall | .file as $file
    | [$events[] | select(.kind == "other" and .file == $file and .wall <= $wall)] | last
    | if . then "   \(($wall | micros) - (.wall | micros) | ms(0)) ms later" else "" end;

def row($events):
    if .kind == "other" then [$yellow, "other CNI", .file, .text]
    elif .kind == "exec" then [$dim, "demo", "", "starts firstwatchd"]
    elif .kind == "process.start" then [$dim, "firstwatchd", "", "is up, version \(.version // "?")"]
    elif .kind == "watch.armed" and .backend == "inotify" then [$dim, "firstwatchd", "", "watch armed"]
    elif .kind == "watch.proven" then [$green, "firstwatchd", "", "watch proven: its own probe came back after \(.probe_us // "?") µs"]
    elif .kind == "pass.begin" and .reason == "start" then
        [$bold, "firstwatchd", "", "first pass begins" + if .margin_ns then ", ready margin \(.margin_ns | margin)" else "" end]
    elif .kind == "patch.applied" then [$green, "firstwatchd", .file, (if .repatch then "patched again" else "patched" end) + after($events)]
    elif .kind == "file.unreadable" then [$dim, "firstwatchd", .file, "half-written: waits for the rest"]
    elif .kind == "file.state" and (.state == "refused" or .state == "contested") then [$yellow, "firstwatchd", .file, .state]
    elif .kind == "finding.open" then [$yellow, "firstwatchd", (.file // ""), "finding FW\(.code): \(.text)"]
    elif .kind == "patch.failed" then [$red, "firstwatchd", .file, "not patched: \(.step // "?")"]
    elif .kind == "cleanup.step" and .step == "unpatch" then
        if .ok then [$green, "firstwatchd", .file, "our element taken out again"] else [$red, "firstwatchd", .file, "not undone"] end
    elif .kind == "process.stop" then [$bold, "firstwatchd", "", "stopped: \(.summary // "")"]
    else empty end;

sort_by(.wall) as $events
| ([$events[] | select(.kind == "exec")][0].wall | micros) as $start
| $events[] | select(.wall > $from)
| (.wall | micros) as $at
| row($events) as [$colour, $who, $file, $text]
| "\(($at - $start) | ms(10)) ms  \($who | column(12)) \($file | column(20)) " as $head
| "  " + $head + $colour + ($text | cut(98 - ($head | length))) + $off
