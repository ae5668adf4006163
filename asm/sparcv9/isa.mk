# The assembler's name for everything up to fused multiply-add; what a CPU lacks is found out at run time (isa_has).
ASFLAGS += -Wa,-Av9d
