# The image for OpenBoot's boot command: cmtnoise.aout over the network, cmtnoise.img from a virtual disk. Included by machine.mk.
# The loader has 7.5 KB on a disk: it is compiled for size, and takes only what it calls of the runtime's parts.
OPENBOOT     := $(B)/openboot
OPENBOOT_LD  := domains/bare/niagara/openboot/image.ld
LOADER_PARTS := $(addprefix domains/bare/,niagara/openboot/start.S niagara/openboot/loader.c niagara/openboot/client.c \
                  niagara/calls.S crc32.c libc.c printf.c)
LOADER       := $(patsubst %,$(OPENBOOT)/obj/%.o,$(basename $(LOADER_PARTS)))
BARE_IMAGES  += $(B)/cmtnoise.aout $(B)/cmtnoise.img

# What the loader has to know of the image. gzip's last eight bytes are the CRC-32 and the length, the lowest byte first. The disk's
# last block stays free: a disk server does not read the last byte of a file (illumos, usr/src/uts/sun4v/io/vds.c, vd_file_rw).
$(OPENBOOT)/image.h: $(B)/cmtnoise.elf
	$(call say,GEN)
	$(Q)mkdir -p $(@D) && $$($(CC) -print-prog-name=objcopy) -O binary --gap-fill 0 $< $(OPENBOOT)/image.bin
	$(Q){ $$($(CC) -print-prog-name=nm) $< | $(AWK) 'BEGIN { \
		  name["niagara_start"] = "START"; name["niagara_given_end"] = "GIVEN_END"; name["niagara_memory_end"] = "LEAST_END" } \
		$$3 in name { print "#define IMAGE_" name[$$3], "0x" $$1; found++ } END { exit found != 3 }' && \
	  gzip -cn $(OPENBOOT)/image.bin | tail -c 8 | od -An -v -tu1 | $(AWK) '{ \
		bytes = $$5 + 256 * ($$6 + 256 * ($$7 + 256 * $$8)); \
		printf "#define IMAGE_BYTES %d\n#define IMAGE_SUM 0x%02x%02x%02x%02x\n", bytes, $$4, $$3, $$2, $$1; \
		printf "#define DISK_BYTES %d\n", int((17 * 512 + bytes + 1048575) / 1048576) * 1048576 }'; } > $@.part && mv $@.part $@

$(OPENBOOT)/obj/%.o: %.c $(OPENBOOT)/image.h $(B)/flags
	$(call say,CC)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -Os -ffunction-sections -I$(OPENBOOT) -MMD -MP -c -o $@ $<

$(OPENBOOT)/obj/%.o: %.S $(OPENBOOT)/image.h $(B)/flags
	$(call say,AS)
	$(Q)mkdir -p $(@D) && $(CC) -I. $(ASFLAGS) -I$(OPENBOOT) -MMD -MP -c -o $@ $<

$(OPENBOOT)/payload-%.o: domains/bare/niagara/openboot/payload.S $(OPENBOOT)/image.h
	$(call say,AS)
	$(Q)$(CC) -I. $(ASFLAGS) -I$(OPENBOOT) -DON_DISK=$* '-DIMAGE="$(OPENBOOT)/image.bin"' -c -o $@ $<

# (the link's name, is it a disk)
openboot_link = $(Q)$(CC) -nostdlib -static -Wl,--build-id=none,--gc-sections,--defsym=ON_DISK=$(2) \
	-Wl,--defsym=DISK_BYTES=$$($(AWK) '$$2 == "DISK_BYTES" { print $$3 }' $(OPENBOOT)/image.h) \
	-Wl,-T,$(OPENBOOT_LD) -o $(1).elf $(filter %.o,$^) && \
	$$($(CC) -print-prog-name=objcopy) -O binary $(1).elf $@

$(B)/cmtnoise.aout: $(LOADER) $(OPENBOOT)/payload-0.o $(OPENBOOT_LD)
	$(call say,LD)
	$(call openboot_link,$(OPENBOOT)/aout,0)
$(B)/cmtnoise.img: $(LOADER) $(OPENBOOT)/payload-1.o $(OPENBOOT)/obj/domains/bare/niagara/openboot/label.o $(OPENBOOT_LD)
	$(call say,LD)
	$(call openboot_link,$(OPENBOOT)/disk,1)

-include $(LOADER:.o=.d)
