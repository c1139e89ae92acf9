#!/bin/sh
# Instructions per state of `emm perft`, counted by valgrind, so that they hardly depend on the machine:
#   cargo build --release && tests/bench/instructions.sh > results/instructions.csv
# Compiling the game is left out by subtracting a run that counts only the initial state; specialising the
# joint moves that are met is in. States are the sum over all layers.
set -eu
cd "$(dirname "$0")/../.."
emm=${EMM:-target/release/emm}
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

instructions() {
    valgrind --tool=callgrind --callgrind-out-file="$profile" "$emm" perft "$1" --depth "$2" 2>&1 >/dev/null |
        awk '/Collected/ { print $NF }'
}

echo "game,depth,states,instructions,instructions_per_state"
while read -r game depth; do
    states=$("$emm" perft "$game" --depth "$depth" --format csv | awk -F, 'NR > 1 { sum += $2 } END { print sum }')
    counted=$(($(instructions "$game" "$depth") - $(instructions "$game" 0)))
    echo "$game,$depth,$states,$counted,$((counted / states))"
done <<GAMES
tt-3x3 9
c4-5x5 8
breakthrough-4x4 5
s-tt-3x3-80 8
dots-and-boxes-2x2 8
yahtzee-small 12
GAMES
