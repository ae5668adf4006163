# Test programs. A test is one file tests/unit/test_NAME.c or tests/kernels/test_NAME.c, found by name. It links the real parts from
# an archive, so whatever it defines itself (a timer, an OS call) takes the place of the real one.
UNIT_TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
KERNEL_TESTS := $(patsubst tests/kernels/%.c,$(BUILD)/tests/%,$(wildcard tests/kernels/test_*.c))
GUARDS       := $(call object,$(wildcard tests/kernels/*_$(ISA).[Sc]))
TEST_LIBS    := $(BUILD)/libparts.a

# One of them may be an instruction set's own: the ways to read its counter.
BENCHES      := $(patsubst tests/bench/%.c,$(BUILD)/tests/%,$(wildcard tests/bench/bench_boundary.c tests/bench/bench_run.c \
                  tests/bench/bench_timer_$(ISA).c))

# cmocka is a package for this machine only; for another a header stands in for it.
ifneq ($(NATIVE),)
CMOCKA       := -lcmocka
else
$(BUILD)/obj/tests/%.o: ALL_CFLAGS += -Itests/cross
endif

tests: $(UNIT_TESTS) $(KERNEL_TESTS)

$(BUILD)/libparts.a: $(PART_OBJECTS) $(call object,$(TRACE_PLAIN))
	$(Q)rm -f $@ && $(AR) rcs $@ $^

link_test = $(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(TEST_LIBS) $(LDLIBS) $(CMOCKA)

$(UNIT_TESTS): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(TEST_LIBS)
	$(call say,LD)
	$(link_test)

$(patsubst %,$(BUILD)/tests/test_%,select strand_list plan topology topology_flat): $(BUILD)/obj/tests/unit/fake_os.o

# The bare runtime on a machine that the test plays. Its own C library is left to a test of its own.
BARE_COMMON  := $(call object,$(filter-out %/libc.c %/printf.c,$(wildcard domains/bare/*.c)) harness/os/bare.c)
$(patsubst %,$(BUILD)/tests/test_bare_%,turns together): $(BARE_COMMON)

# The settings of a Linux guest; the channel is the test's.
$(BUILD)/tests/test_guest_settings: $(call object,domains/linux/settings.c)

# A machine's C, with its assembly played.
$(BUILD)/tests/test_bare_niagara: $(call object,$(wildcard domains/bare/niagara/*.c) $(addprefix tests/unit/,fake_niagara.c written_md.c))

# The parts of a PC that touch no device.
$(BUILD)/tests/test_bare_pc_acpi: $(call object,domains/bare/pc/acpi.c)
$(BUILD)/tests/test_bare_pc_regions: $(call object,domains/bare/pc/regions.c)
$(BUILD)/tests/test_bare_pc_facts: $(call object,$(addprefix domains/bare/pc/,date.c place.c rate.c))

$(KERNEL_TESTS): $(BUILD)/tests/%: $(BUILD)/obj/tests/kernels/%.o $(GUARDS) $(TEST_LIBS)
	$(call say,LD)
	$(link_test)

$(BUILD)/tests/bench_%: $(BUILD)/obj/tests/bench/bench_%.o $(PART_OBJECTS)
	$(call say,LD)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: tests
.SECONDARY:

# The program as one object for a machine that this one cannot link for: a test looks at what it calls (ci/solaris.sh).
PORT_LD ?= ld
$(BUILD)/port.o: $(BUILD)/obj/harness/main.o $(PART_OBJECTS) $(BUILD)/timer
	$(Q)$(PORT_LD) -r -o $@ $(filter %.o,$^)
port: $(BUILD)/port.o
.PHONY: port
