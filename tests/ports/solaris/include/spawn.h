/* What cmtnoise uses of Solaris's spawn.h, for 64-bit programs; after illumos-gate's spawn.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SPAWN_H
#define CMTNOISE_PORT_SOLARIS_SPAWN_H

#include <signal.h>
#include <sys/types.h>

#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGMASK 0x0008

typedef struct {
	void *__spawn_attrp;
} posix_spawnattr_t;
typedef struct {
	void *__file_attrp;
} posix_spawn_file_actions_t;

extern int posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
		       char *const *, char *const *);
extern int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
extern int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
extern int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
extern int posix_spawnattr_init(posix_spawnattr_t *), posix_spawnattr_destroy(posix_spawnattr_t *);
extern int posix_spawnattr_setflags(posix_spawnattr_t *, short);
extern int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
extern int posix_spawnattr_setsigmask(posix_spawnattr_t *, const sigset_t *);

#endif
