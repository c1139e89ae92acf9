#!/bin/sh
# CPU time and peak memory of `emm show`, which goes from the text of a game to its machine, for every game
# of some folders; writes results/compile.csv and results/compile.md:
#   cargo build --release && tests/bench/compile.sh ../shared/ggp ../shared/paper-gdl ../shared/paper-gdl-qbf
# Needs GNU time. A game gets 5 minutes of CPU and 6 GB of address space, far more than any may take.
set -eu
cd "$(dirname "$0")/../.."
emm=${EMM:-target/release/emm}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
csv=results/compile.csv
markdown=results/compile.md

# One line: the CPU seconds, the peak in megabytes. Leaves the answer, the messages and the exit code in $work.
measure() {
    (
        ulimit -v 6000000
        ulimit -t 300
        /usr/bin/time --quiet -o "$work/time" -f '%U %S %M' \
            "$emm" show "$1" --format json --quiet >"$work/json" 2>"$work/messages"
    ) || status=$?
    awk 'END { printf "%.2f %d\n", $1 + $2, $3 / 1024 }' "$work/time"
}

# A number of the answer; empty if there is none.
number() {
    sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" "$work/json" | head -n 1
}

# The sizes, and what came of it.
outcome() {
    case $1 in
    0) echo compiled ;;
    1) echo refused ;;
    3) sed -n 's/^[a-z]*: //p' "$work/messages" | head -n 1 | tr -d '"' ;;
    *) echo "exit code $1" ;;
    esac
}

echo "game,ground_rules,gates,fluents,key_bits,cpu_s,peak_mb,outcome" >"$csv"
for folder; do
    for game in "$folder"/*.kif "$folder"/*.gdl; do
        [ -f "$game" ] || continue
        status=0
        measure "$game" >"$work/cost"
        read -r cpu peak <"$work/cost"
        name=$(basename "$folder")/$(basename "$game")
        sizes=$(number ground_rules),$(number gates),$(number fluents),$(number bits)
        echo "$name,$sizes,$cpu,$peak,\"$(outcome "$status")\"" >>"$csv"
    done
done

{
    echo "# From text to machine"
    echo
    echo "\`tests/bench/compile.sh ../shared/ggp ../shared/paper-gdl ../shared/paper-gdl-qbf\`"
    echo
    awk -F, 'NR > 1 {
        games++; compiled += $8 == "\"compiled\""; refused += $8 == "\"refused\""
        if ($6 > cpu) { cpu = $6; slow = $1 }
        if ($7 > mb) { mb = $7; large = $1 }
    } END {
        printf "%d games: %d compiled, %d refused, %d stopped by a limit. ", games, compiled, refused, games - compiled - refused
        printf "The slowest (%s) took %s s of CPU, the largest (%s) %d MB.\n\n", slow, cpu, large, mb
    }' "$csv"
    echo "Games that took more than 2 s or 200 MB, or were not compiled; all others are in \`compile.csv\`."
    echo
    echo "| game | ground rules | gates | fluents | key bits | CPU s | peak MB | outcome |"
    echo "|---|---:|---:|---:|---:|---:|---:|---|"
    awk -F, 'NR > 1 && ($6 > 2 || $7 > 200 || $8 != "\"compiled\"") {
        outcome = $8; for (i = 9; i <= NF; i++) outcome = outcome "," $i
        gsub(/"/, "", outcome)
        printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7, outcome
    }' "$csv"
} >"$markdown"
