# x86-64 machines with a BIOS, and virtual ones: multiboot (GRUB, qemu -kernel) and PVH.
BARE_CC      ?= $(if $(filter x86_64,$(shell uname -m)),gcc,x86_64-linux-gnu-gcc)
BARE_ISA     := x86_64
BARE_STRANDS := 256
BARE_CFLAGS  := -m64 -mno-red-zone -mcmodel=small
BARE_LDFLAGS := -m64 -no-pie -Wl,-z,max-page-size=4096,-z,noexecstack
BARE_IMAGES  := $(B)/cmtnoise32.elf
OBJCOPY      ?= $(patsubst %gcc,%objcopy,$(BARE_CC))

# cmtnoise.elf is entered by PVH's note. A loader that looks for multiboot takes the first header it finds, and refuses one in a
# 64-bit image: so that header stands only in the second image, which is the same but for its wrapping.
$(B)/cmtnoise32.elf: $(B)/obj/domains/bare/pc/multiboot/header.o $(B)/cmtnoise.elf
	$(call say,LD)
	$(Q)$(CC) -nostdlib -static $(BARE_LDFLAGS) -Wl,-T,$(IMAGE_LD),--build-id=none -o $@.64 $< $(OBJECTS)
	$(Q)$(OBJCOPY) -O elf32-i386 $@.64 $@ && rm $@.64

# A disc image that GRUB boots, from a drive or a USB stick: under every kind of firmware that GRUB is installed for.
ISO_TOOLS := grub-mkrescue xorriso mformat
GRUB_DIR  ?= /usr/lib/grub
ISO_FOR    = $(if $(wildcard $(GRUB_DIR)/i386-pc),BIOS) $(if $(wildcard $(GRUB_DIR)/x86_64-efi),UEFI)
iso: $(B)/cmtnoise.iso
$(B)/cmtnoise.iso: $(B)/cmtnoise32.elf domains/bare/pc/grub.cfg
	$(Q)for tool in $(ISO_TOOLS); do command -v $$tool >/dev/null || { echo "bare-iso: $$tool is missing:" \
		"apt-get install grub-common grub-pc-bin xorriso mtools" >&2; exit 1; }; done
	$(Q)test -n '$(strip $(ISO_FOR))' || { echo "bare-iso: there is no GRUB for this disc in $(GRUB_DIR):" \
		"apt-get install grub-pc-bin, and grub-efi-amd64-bin for UEFI" >&2; exit 1; }
	$(call say,ISO)
	$(Q)rm -rf $(B)/iso && mkdir -p $(B)/iso/boot/grub && cp $< $(B)/iso/boot/ && cp domains/bare/pc/grub.cfg $(B)/iso/boot/grub/
	$(Q)grub-mkrescue -o $@ $(B)/iso >$(B)/iso.log 2>&1 || { cat $(B)/iso.log >&2; exit 1; }
	@echo '$@ boots under: $(strip $(ISO_FOR))'
.PHONY: iso
