/* Where the played OpenBoot has what: numbers that its assembly, its C and its test share. */
#ifndef CMTNOISE_TESTS_PLAYER_H
#define CMTNOISE_TESTS_PLAYER_H

#define PLAYER_REAL 0x88000000
#define PLAYER_VIRTUAL 0xf0000000
#define CLIENT_REAL 0x89000000 /* is at virtual 0 */
#define LOAD_BASE 0x4000
#define CLAIMED_REAL 0x8a000000
#define DISK_REAL 0x8b000000   /* what is booted: the file, or the disk */
#define ORDERS_REAL 0x8c000000 /* two words that QEMU puts there: enum fault, enum device */

#define MMU_MAP_PERM_ADDR 0x25
#define STACK_BYTES 8192
#define TTE_MEMORY 0x7c3 /* cacheable, privileged, executable, writable, 4 MB */

#endif
