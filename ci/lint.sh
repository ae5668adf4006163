#!/bin/sh
# Lint of everything: C, shell, Python. Any finding fails.
set -eu
cd "$(dirname "$0")/.."

sources=$(git ls-files --cached --others --exclude-standard '*.c' '*.h')
scripts=$(git ls-files --cached --others --exclude-standard '*.sh' 'plots/cmtnoise-*' 'domains/cmtnoise-*' '.ci/run')

# shellcheck disable=SC2086 # lists of names without blanks
{
	build/venv/bin/clang-format --dry-run --Werror $sources
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
		--suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches -I. \
		-j2 asm bind domains harness
	shellcheck $scripts
}
build/venv/bin/ruff check --quiet plots domains tests
build/venv/bin/ruff format --quiet --check plots domains tests
build/venv/bin/mypy --no-error-summary plots/cmtnoise domains/cmtnoise_domain tests/python tests/domains
echo 'lint: clean'
