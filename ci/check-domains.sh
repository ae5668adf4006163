#!/bin/sh
# What `make check-domains` runs: Linux guests. OS kernels are fetched once, and kept in build/domains/os.
# usage: ci/check-domains.sh BUILD
set -eu
cd "$(dirname "$0")/.."
CMTNOISE_BUILD=$1 build/venv/bin/python -m pytest -q tests/domains
