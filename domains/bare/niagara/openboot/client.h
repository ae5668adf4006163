/* OpenBoot's client interface, as the loader needs it: IEEE 1275-1994, section 6.3, and its binding for SPARC. A cell has 64 bits:
 * so OpenBoot starts 64-bit programs (its source, obp/arch/sun4u/go.fth: cif-64). */
#ifndef CMTNOISE_OPENBOOT_CLIENT_H
#define CMTNOISE_OPENBOOT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes OpenBoot's handler, from %o4 at the entry, and finds the console. */
void client_begin(int (*handler)(void *request));

/* Printed on OpenBoot's console after "cmtnoise: ", with the end of the line. Formats as domains/bare/printf.c has them. */
void client_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Back to the prompt. */
_Noreturn void client_exit(void);

/* The property's length, which may be more than was room for; -1: no such node or property. */
int client_property(const char *path, const char *name, void *buffer, size_t size);

/* An integer or an instance of a node's property; absent where there is none. */
uint32_t client_number(const char *path, const char *name, uint32_t absent);

/* Bytes that could be read from this place of a device on; -1: it cannot be opened. */
int64_t client_read(const char *path, uint64_t offset, void *buffer, size_t bytes);

/* Memory, mapped, anywhere; NULL: there is none. */
void *client_claim(size_t bytes);

/* Real memory at this address; false: it is not to be had. */
bool client_claim_real(uint64_t address, uint64_t bytes);

/* Makes real memory visible, at an address of OpenBoot's choosing; NULL: it cannot. */
void *client_map(uint64_t real, size_t bytes);

/* The real address behind a virtual one; UINT64_MAX: there is none. */
uint64_t client_translate(const void *address);

#endif
