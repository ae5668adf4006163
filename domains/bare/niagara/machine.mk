# UltraSPARC T1: QEMU's -M niagara after a reset of our own, or a sun4v guest. Included by domains/bare/Makefile.
BARE_CC     ?= sparc64-linux-gnu-gcc
BARE_ISA    := sparcv9
# -fno-pic for the assembler too: told to be position-independent, it takes %hi and %lo for places in a GOT.
BARE_CFLAGS := -mcpu=niagara -mcmodel=medlow -fno-pic
BARE_STRANDS := 32

ifeq ($(shell command -v $(BARE_CC)),)
$(error there is no $(BARE_CC): install gcc-sparc64-linux-gnu, or name another compiler for SPARC V9 with BARE_CC=)
endif

# What QEMU looks for under -L; only the reset image has anything to do, and QEMU wants the others to be there.
NIAGARA_UNUSED := $(addprefix $(B)/firmware/,nvram1 1up-md.bin 1up-hv.bin q.bin openboot.bin)
BARE_IMAGES := $(B)/firmware/reset.bin $(NIAGARA_UNUSED)

$(NIAGARA_UNUSED):
	$(Q)mkdir -p $(@D) && : > $@

# It jumps to wherever the image begins: -R takes the symbols of the image, and nothing else of it.
$(B)/firmware/reset.bin: $(B)/obj/domains/bare/niagara/firmware/reset.o $(B)/cmtnoise.elf
	$(call say,LD)
	$(Q)mkdir -p $(@D) && $(CC) -nostdlib -static -Wl,-Ttext=0xfff0000000,-e,0xfff0000020,--build-id=none \
		-Wl,-R,$(B)/cmtnoise.elf -o $(B)/firmware/reset.elf $<
	$(Q)$$($(CC) -print-prog-name=objcopy) -O binary -j .text $(B)/firmware/reset.elf $@

include domains/bare/niagara/openboot/openboot.mk
