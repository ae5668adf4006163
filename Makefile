# cmtnoise: see 'make help'. Everything made goes to build/ (BUILD=...), V=1 shows the commands.
.DEFAULT_GOAL := all
ifeq ($(origin CC),default)
CC := gcc
endif
OS      ?= linux
# What an operating system's own compilers and libraries want: OS_CFLAGS, OS_LDLIBS, ISA, NATIVE, AWK.
-include harness/os/$(OS).mk
AWK     ?= awk
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
# pkg-config finds this machine's libraries, which are no use to a compiler for another.
NATIVE  := $(or $(NATIVE),$(filter $(firstword $(subst -, ,$(MACHINE))),$(shell uname -m)))
ISA     ?= $(patsubst sparc64,sparcv9,$(firstword $(subst -, ,$(MACHINE))))
BUILD   ?= build
PREFIX  ?= /usr/local
BARE    ?= pc
VERSION := $(shell sed -n 's/.*CMTNOISE_VERSION "\(.*\)"/\1/p' harness/version.h)
COMMIT  := $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)
HWLOC   ?= $(if $(NATIVE),$(shell pkg-config --exists 'hwloc >= 2.1' 2>/dev/null && echo 1 || echo 0),0)
TRACEFS ?= $(if $(filter linux,$(if $(NATIVE),$(OS))),$(shell pkg-config --exists 'libtracefs >= 1.6' libtraceevent 2>/dev/null && echo 1 || echo 0),0)

CFLAGS   ?= -O2 -g
# WERROR=-Werror is for our own checks: another compiler's new warning must not stop a user's build.
WARNINGS := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes $(WERROR)
ALL_CFLAGS := -std=gnu11 -I. $(OS_CFLAGS) $(WARNINGS) $(CFLAGS)
LDLIBS   := -pthread $(OS_LDLIBS)
ifeq ($(HWLOC),1)
TOPOLOGY := bind/topology_hwloc.c
ALL_CFLAGS += $(shell pkg-config --cflags hwloc)
LDLIBS   += $(shell pkg-config --libs hwloc)
else
TOPOLOGY := bind/topology_flat.c
endif
ifeq ($(TRACEFS),1)
ALL_CFLAGS += $(shell pkg-config --cflags libtracefs libtraceevent)
TRACE_LDLIBS := $(shell pkg-config --libs libtracefs libtraceevent)
TRACE    := $(BUILD)/cmtnoise-trace
endif

# A kernel is a file in asm/ISA/, an instruction set a folder, an operating system a file in harness/os/: found by name.
ASSEMBLY := $(wildcard asm/$(ISA)/*.S)
ifneq ($(MACHINE),)
$(if $(ASSEMBLY),,$(error there are no kernels for $(ISA): the folders of asm/ are $(notdir $(patsubst %/,%,$(wildcard asm/*/)))))
endif
# The counter is the instruction set's own, unless TIMER=NAME asks for another.
TIMERS   := $(if $(TIMER),$(wildcard asm/timers/$(TIMER).c asm/$(ISA)/timers/$(TIMER).S),asm/$(ISA)/counter.c)
$(if $(TIMERS),,$(error there is no timer $(TIMER) for $(ISA): TIMER is one of \
  $(basename $(notdir $(wildcard asm/timers/*.c asm/$(ISA)/timers/*.S)))))
BACKEND  := $(wildcard harness/os/$(OS).c harness/os/$(OS)-*.c domains/tick/$(OS).c domains/tick/$(OS)-*.c)
SHARED   := $(filter-out harness/main.c,$(wildcard harness/*.c)) \
            $(filter-out bind/topology_%.c,$(wildcard bind/*.c)) $(TOPOLOGY) domains/tick/advice.c domains/tick/facts.c
PARTS    := $(SHARED) $(BACKEND) asm/$(ISA)/isa.c $(TIMERS) $(filter-out $(if $(TIMER),%/timer_read.S),$(ASSEMBLY))

# Objects, the table of kernels, what the program knows of its build; also for the bare runtime.
include harness/rules.mk

# The tick configurations, likewise by name; the bare runtime has none.
TICKS     := $(if $(filter linux,$(OS)),$(sort $(wildcard domains/tick/*.toml)))
GENERATED += $(BUILD)/tick_files.c
$(BUILD)/tick_files.c: domains/tick/registry.awk $(TICKS) $(BUILD)/ticks
	$(call say,GEN)
	$(Q)$(AWK) -f domains/tick/registry.awk $(TICKS) < /dev/null > $@.part && mv $@.part $@
$(BUILD)/ticks: FORCE
	$(call remember,$(TICKS))

PART_OBJECTS := $(call object,$(PARTS)) $(GENERATED:.c=.o)
TOOLS    := $(addprefix $(BUILD)/,cmtnoise $(if $(NATIVE),cmtnoise.1) $(notdir $(wildcard plots/cmtnoise-* domains/cmtnoise-*))) $(TRACE)
# cmtnoise-trace is a program of its own, so that cmtnoise needs none of its libraries. Files named tracefs_* do.
TRACE_PLAIN := $(filter-out harness/trace/main.c harness/trace/tracefs_%,$(wildcard harness/trace/*.c))
TRACE_PARTS := $(wildcard harness/trace/*.c) harness/text.c harness/why.c bind/strand_list.c harness/os/linux-affinity.c \
               harness/os/linux-files.c asm/$(ISA)/timer_read.S

all: $(TOOLS)

$(BUILD)/cmtnoise: $(BUILD)/obj/harness/main.o $(PART_OBJECTS) $(BUILD)/timer
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(OS_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LDLIBS)
$(BUILD)/timer: FORCE
	$(call remember,'$(TIMER)')

$(BUILD)/cmtnoise-trace: $(call object,$(TRACE_PARTS))
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(TRACE_LDLIBS)

$(BUILD)/cmtnoise.1: $(BUILD)/cmtnoise
	$(call say,MAN)
	$(Q)$< --manual > $@

$(BUILD)/cmtnoise-%: plots/cmtnoise-%
	$(Q)ln -sf $(abspath $<) $@
$(BUILD)/cmtnoise-%: domains/cmtnoise-%
	$(Q)ln -sf $(abspath $<) $@

include tests/tests.mk

deps:
	ci/deps.sh check

sweep:
	ci/deps.sh sweep
	$(MAKE) all
	ci/sweep.sh $(BUILD)

check: export WERROR := -Werror
check:
	ci/deps.sh check
	$(MAKE) all
	ci/check.sh $(BUILD)

# Apart from check: guests take a while, and OS kernels are fetched.
check-domains: export WERROR := -Werror
check-domains:
	ci/deps.sh check-domains
	$(MAKE) all
	ci/check-domains.sh $(BUILD)

study:
	ci/deps.sh check
	$(MAKE) all
	ci/study.sh $(BUILD)

# The runtime with no operating system; make help names the variables.
bare:
	$(MAKE) -f domains/bare/Makefile BUILD=$(BUILD)/bare/$(BARE) BARE=$(BARE) COMMIT=$(COMMIT) image
bare-iso:
	$(MAKE) -f domains/bare/Makefile BUILD=$(BUILD)/bare/pc BARE=pc COMMIT=$(COMMIT) iso

# What a Linux guest's initramfs holds (domains/cmtnoise_domain/linux.py): the first program, and cmtnoise without libraries. The
# commit lies beside them (EMBED_COMMIT=0): a byte more or less to unpack moves when the guest's ticks come.
guest: $(BUILD)/cmtnoise $(BUILD)/init $(BUILD)/commit
$(BUILD)/init: $(call object,$(sort $(wildcard domains/linux/*.c)) domains/bare/crc32.c)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

bench: all $(BENCHES)
	$(BUILD)/venv/bin/python tests/bench/bench.py $(BUILD)
	$(BUILD)/venv/bin/python tests/bench/known_noise.py

lint:
	ci/lint.sh

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/cmtnoise $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/cmtnoise/gnuplot
	install $(BUILD)/cmtnoise $(DESTDIR)$(PREFIX)/bin
	install plots/cmtnoise-* domains/cmtnoise-* $(TRACE) plots/tools.sh $(DESTDIR)$(PREFIX)/libexec/cmtnoise
	install -m 644 $(BUILD)/cmtnoise.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 plots/gnuplot/* $(DESTDIR)$(PREFIX)/share/cmtnoise/gnuplot
	cd plots && find cmtnoise -type f ! -name '*.pyc' -exec install -D -m 644 {} $(abspath $(DESTDIR)$(PREFIX))/share/cmtnoise/{} \;
	cd domains && find cmtnoise_domain ldom profiles labs tick -type f ! -name '*.pyc' ! -name '*.[ch]' ! -name registry.awk -exec install -D -m 644 {} \
		$(abspath $(DESTDIR)$(PREFIX))/share/cmtnoise/{} \;
	chmod 755 $(DESTDIR)$(PREFIX)/share/cmtnoise/ldom/ldom.sh

dist:
	mkdir -p $(BUILD)
	git archive --prefix=cmtnoise-$(VERSION)/ -o $(BUILD)/cmtnoise-$(VERSION).tar.gz HEAD

# The Python environment and OS kernels stay: they take longest to make, and depend on their lock file, their source and options
# alone. distclean takes them too.
clean:
	find $(BUILD)/. ! -name . -prune ! -name venv ! -name domains -exec rm -rf {} + 2>/dev/null || true
	find $(BUILD)/domains/. ! -name . -prune ! -name os -exec rm -rf {} + 2>/dev/null || true
distclean:
	rm -rf $(BUILD)

help:
	@echo 'make           build build/cmtnoise'
	@echo 'make sweep     set up, build, measure every strand, draw the figures, print the table'
	@echo 'make check     set up, build, run all tests'
	@echo 'make check-domains   run Linux guests and test what they bring back; fetches OS kernels: CMTNOISE_OFFLINE=1 leaves out those'
	@echo '               that are not to be had, CMTNOISE_BUILD_ALL=1 builds all there are tests for (docs/domains.md)'
	@echo 'make study     the study of the T1 that this began with: its Linux and its bare machine, emulated; figures and a page'
	@echo 'make deps      only set up: Debian packages and build/venv'
	@echo 'make bare      the static-thread runtime, for no operating system: BARE=pc|niagara THREADS="0:add 1:idle 4-7:all"'
	@echo '               STRANDS= REPS= QUANTUM_NS= ITERATIONS= TICK_HZ= TICK_PATH= ORDER=turns|together (docs/bare.md)'
	@echo 'make bare-iso  the same for x86-64, on a disc image that GRUB boots'
	@echo 'make bench     what the harness itself costs, how fast the analysis is, and how well it finds known noise'
	@echo 'make lint      clang-format, cppcheck, shellcheck, ruff, mypy'
	@echo 'make install   PREFIX=/usr/local DESTDIR='
	@echo 'make dist      a source archive of the last commit'
	@echo 'make clean     remove what was built; distclean also the Python environment and OS kernels'
	@echo 'variables:     CC=clang OS=linux|solaris TIMER=os|stick HWLOC=0 TRACEFS=0 BUILD=build CFLAGS="-O2 -g" V=1'

.PHONY: all deps sweep check check-domains study bare bare-iso guest bench lint install dist clean distclean help
