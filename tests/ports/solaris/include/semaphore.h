/* What cmtnoise uses of Solaris's semaphore.h, for 64-bit programs; after illumos-gate's semaphore.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SEMAPHORE_H
#define CMTNOISE_PORT_SOLARIS_SEMAPHORE_H

#include <sys/types.h>

typedef struct {
	uint32_t sem_count;
	uint16_t sem_type, sem_magic;
	uint64_t sem_pad1[3], sem_pad2[2];
} sem_t;

extern int sem_init(sem_t *, int, unsigned), sem_destroy(sem_t *), sem_wait(sem_t *), sem_post(sem_t *);

#endif
