# shellcheck shell=sh
# Sourced by the tools beside it, with `here` set to their folder: finds Python and the package, and runs a module of it.
# CMTNOISE_PYTHON and CMTNOISE_PLOTS, when set, win. A tool whose own package lies elsewhere sets `own_package` to that folder.
here=${here:?}

# The environment beside a build folder; the tool is started through a link in it.
find_python() {
	venv=$(dirname "$0")/venv/bin/python
	if [ -n "${CMTNOISE_PYTHON:-}" ]; then
		echo "$CMTNOISE_PYTHON"
	elif [ -x "$venv" ]; then
		echo "$venv"
	elif [ -x "$here/../build/venv/bin/python" ]; then
		echo "$here/../build/venv/bin/python"
	else
		echo python3
	fi
}

# In a source tree the package lies beside the tool; installed, below share/.
find_shared() {
	if [ -d "$here/$1" ]; then
		echo "$here/$1"
	else
		echo "$here/../../share/cmtnoise/$1"
	fi
}

run_python() {
	python=$(find_python)
	package=${CMTNOISE_PLOTS:-$(dirname "$(find_shared cmtnoise)")}
	if ! "$python" -c 'import sys; sys.path.pop(0)
from importlib.util import find_spec
sys.exit(not all(map(find_spec, ("numpy", "matplotlib", "polars", "plotly", "jinja2"))))' 2>/dev/null; then
		echo "cmtnoise: Python with numpy, matplotlib, polars, plotly and jinja2 is needed: run 'make deps', or install them" >&2
		exit 1
	fi
	# Not -m: that would look for modules in the current folder first, which may be anybody's.
	exec "$python" -c 'import runpy, sys
sys.path[0:1] = [folder for folder in (sys.argv.pop(1), sys.argv.pop(1)) if folder]
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)' "${own_package:-}" "$package" "$@"
}
