# How C and assembly become objects in $(BUILD)/obj, and the two generated tables: the kernels, and how the program was built.
# Included by the Makefile and by domains/bare/Makefile; wants ASSEMBLY, ALL_CFLAGS, BUILD, CC, CFLAGS, COMMIT, ISA, OS.
GENERATED := $(BUILD)/kernel_registry.c $(BUILD)/build_info.c
-include asm/$(ISA)/isa.mk
object     = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))

ifneq ($(V),1)
Q := @
say = @printf '  %-6s %s\n' $(1) $@
endif

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	$(call say,CC)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/obj/%.o: %.S $(BUILD)/flags
	$(call say,AS)
	$(Q)mkdir -p $(@D) && $(CC) -I. $(ASFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/kernel_registry.c: asm/registry.awk $(ASSEMBLY) $(BUILD)/kernels
	$(call say,GEN)
	$(Q)$(AWK) -f asm/registry.awk $(ASSEMBLY) > $@.part && mv $@.part $@

$(BUILD)/build_info.c: $(BUILD)/build_info.lines
	$(Q)cp $< $@

# What objects depend on besides files; rewritten only when it changes.
remember = @mkdir -p $(BUILD); printf '%s\n' $(1) | cmp -s - $@ || printf '%s\n' $(1) > $@
$(BUILD)/flags: FORCE
	$(call remember,'$(CC) $(ALL_CFLAGS) $(ASFLAGS) $(LDFLAGS) $(shell $(CC) -dumpversion) $(ISA) $(OS)')
$(BUILD)/kernels: FORCE
	$(call remember,$(ASSEMBLY))
$(BUILD)/build_info.lines: FORCE
	$(call remember,'#include "harness/version.h"' 'const char build_commit[] = "$(if $(filter 0,$(EMBED_COMMIT)),,$(COMMIT))";' \
		'const char build_compiler[] = "$(notdir $(CC)) $(shell $(CC) -dumpfullversion -dumpversion 2>/dev/null)";' \
		'const char build_cflags[] = "$(CFLAGS)";')
$(BUILD)/commit: FORCE
	$(call remember,'$(COMMIT)')

FORCE:
.PHONY: FORCE
.DELETE_ON_ERROR:
-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d $(BUILD)/obj/*/*/*/*.d)
