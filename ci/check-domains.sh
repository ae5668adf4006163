#!/bin/sh
# What `make check-domains` runs: Linux guests. OS kernels are fetched once, and kept in build/domains/os.
# usage: ci/check-domains.sh BUILD
#   CMTNOISE_OFFLINE=1     leave out tests whose OS kernel cannot be fetched, which fail otherwise
#   CMTNOISE_BUILD_ALL=1   build OS kernels that take minutes and that only some tests need, too
# What was left out is told at the end, with the reason.
set -eu
cd "$(dirname "$0")/.."
CMTNOISE_BUILD=$1 build/venv/bin/python -m pytest -q -rfEs tests/domains
