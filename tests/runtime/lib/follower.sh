# SPDX-License-Identifier: Apache-2.0
# firstwatch following the node through kubectl port-forward: what it told, beside the node's own history.
# shellcheck shell=bash disable=SC2154 # $work comes from the sourcing script

follower_pid=''

start_follower() {
    "$FIRSTWATCH" events "${to_node[@]}" --follow --last 1000000 --output raw >"$work/followed" 2>"$work/follower.log" &
    follower_pid=$!
}

stop_follower() {
    kill "$follower_pid" 2>/dev/null && wait "$follower_pid"
}

follower_runs() { [ -d "/proc/$follower_pid" ]; }
no_forward() { ! pgrep -f ' port-forward ' >/dev/null; }
forward_pid() { pgrep -P "$follower_pid" -f ' port-forward '; }
is_other_forward() { forward=$(forward_pid) && [ "$forward" != "$1" ]; }
count_of() { grep -c "^# $1" "$work/follower.log"; }
has_told() { [ "$(wc -l <"$work/followed")" -gt 0 ]; }
is_live() { has_told && ! grep '^# link' "$work/follower.log" | tail -1 | grep -q 'link lost'; }
has_lost_more_than() { [ "$(count_of 'link lost')" -gt "$1" ]; }

# break_forward NUMBER SIGNAL: the forward gets the signal at a random moment of its life, in every other round not
# before it carries events.
break_forward() {
    local lost
    eventually is_other_forward "${forward:-}" || return
    [ $(($1 % 2)) -eq 0 ] || eventually is_live || return
    lost=$(count_of 'link lost')
    sleep "0.$((RANDOM % 10))"
    kill "-$2" "$forward" && eventually has_lost_more_than "$lost"
}

# The last line may be on its way.
told() { grep '}$' "$work/followed"; }
boots() { told | jq -r .boot | uniq; }
told_of() { told | jq -cS --arg boot "$1" 'select(.boot == $boot)'; }
history_of() {
    cat "$work"/history/history*.jsonl | jq -cS --arg boot "$1" 'select(.boot == $boot)' | jq -cs 'sort_by(.seq)[]'
}

# has_told_all BOOT: every event of the node's own history, each once and in order, and none besides.
has_told_all() { cmp -s <(told_of "$1") <(history_of "$1"); }
has_told_more_than() { [ "$(told_of "$2" | wc -l)" -gt "$1" ]; }
# Without a gap and without a repetition, whatever the history holds.
is_gapless() { [ "$(told_of "$1" | jq .seq)" = "$(seq "$(told_of "$1" | wc -l)")" ]; }
no_gap_is_said() { ! grep -v '^# link' "$work/follower.log" | grep -q .; }
