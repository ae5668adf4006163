/* The sun4v hypervisor's calls that the runtime and its loader make. Numbers and meanings: UltraSPARC Virtual Machine Specification;
 * Linux, arch/sparc/include/asm/hypervisor.h, has the same. */
#ifndef CMTNOISE_NIAGARA_HYPERVISOR_H
#define CMTNOISE_NIAGARA_HYPERVISOR_H

#define HV_FAST_TRAP 0x80
#define HV_CORE_TRAP 0xff

/* Functions of the fast trap, in %o5. */
#define HV_MACH_EXIT 0x00
#define HV_MACH_DESC 0x01
#define HV_CPU_START 0x10
#define HV_CPU_STOP 0x11
#define HV_CPU_YIELD 0x12
#define HV_CPU_QCONF 0x14
#define HV_CPU_MYID 0x16
#define HV_MMU_ENABLE 0x27
#define HV_TOD_GET 0x50
#define HV_CONS_PUTCHAR 0x61

/* CPU_QCONF's queues: interrupts of strands and of devices, errors of two kinds. */
#define HV_QUEUE_FIRST 0x3c
#define HV_QUEUE_LAST 0x3f

/* Functions of the core trap: agreeing on a version of a group of calls. */
#define HV_SET_VERSION 0x00
#define HV_GROUP_SUN4V 0x00
#define HV_GROUP_CORE 0x01

/* Statuses. */
#define HV_EOK 0
#define HV_ENOCPU 1
#define HV_EINVAL 6
#define HV_EBADTRAP 7
#define HV_EWOULDBLOCK 9
#define HV_ENOTSUPPORTED 13

#endif
