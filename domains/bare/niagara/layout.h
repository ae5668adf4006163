/* Numbers that assembly and C share: UltraSPARC Architecture 2005 where no other source is named. */
#ifndef CMTNOISE_NIAGARA_LAYOUT_H
#define CMTNOISE_NIAGARA_LAYOUT_H

#define NIAGARA_STRANDS 32 /* 8 cores of 4 */

/* struct niagara_strand */
#define STRAND_TICKS 0
#define STRAND_PERIOD 8
#define STRAND_PATH 16
#define STRAND_STACK 24
#define STRAND_RUNS 32
#define STRAND_BYTES 64

#define BOOT_STACK_BYTES 65536
#define TRAP_STACK_BYTES 16384

/* The least frame: 16 registers and 6 words for arguments, and the bias of 64-bit stacks (SPARC V9 ABI). */
#define STACK_BIAS 2047
#define LEAST_FRAME 176

/* %pstate: floating point on, privileged; interrupts off or on. */
#define PSTATE_QUIET 0x14
#define PSTATE_TICKING 0x16
#define PIL_NOTHING 15
#define PIL_TICK 13 /* interrupt_level_14 and above */

/* Counts that have to be left until the next tick when it is armed: the comparison is for equality, so a tick that
 * is armed too late would be lost for good. */
#define TICK_MARGIN 128

/* What the reset image leaves in %g1: "cmtnoise". Whoever else enters the image has a hypervisor below. */
#define RESET_MAGIC_HIGH 0x636d746e
#define RESET_MAGIC_LOW 0x6f697365

#endif
