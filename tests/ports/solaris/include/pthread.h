/* What cmtnoise uses of Solaris's pthread.h, for 64-bit programs; after illumos-gate's pthread.h and sys/types.h. */
#ifndef CMTNOISE_PORT_SOLARIS_PTHREAD_H
#define CMTNOISE_PORT_SOLARIS_PTHREAD_H

#include <sys/types.h>

typedef struct {
	void *__pthread_attrp;
} pthread_attr_t;
typedef struct {
	struct {
		uint16_t __pthread_mutex_flag1;
		uint8_t __pthread_mutex_flag2, __pthread_mutex_ceiling;
		uint16_t __pthread_mutex_type, __pthread_mutex_magic;
	} __pthread_mutex_flags;
	uint64_t __pthread_mutex_lock, __pthread_mutex_data;
} pthread_mutex_t;
#define PTHREAD_MUTEX_INITIALIZER {{0, 0, 0, 0, 0x4d58}, 0, 0}

extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);

#endif
