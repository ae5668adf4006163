#!/bin/sh
# What `make sweep` does once everything is built: measures every strand, draws the figures, writes the page, prints the table.
# usage: ci/sweep.sh BUILD      (SWEEP='options' are handed to cmtnoise sweep)
set -eu
cmtnoise=$1/cmtnoise

# shellcheck disable=SC2086 # several options are meant
run=$("$cmtnoise" sweep ${SWEEP:-})
"$cmtnoise" plot "$run"
echo
"$cmtnoise" report "$run"
