/* The values that programs and Solaris must agree on, as two sources have them: illumos-gate's headers, named in front of each group,
 * and, where marked with *, also rust-lang/libc's src/unix/solarish/mod.rs, which is checked against the systems themselves. A declaration
 * in include/ that says otherwise does not compile. */
#include <errno.h>
#include <fcntl.h>
#include <kstat.h>
#include <poll.h>
#include <procfs.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/fxpriocntl.h>
#include <sys/mman.h>
#include <sys/priocntl.h>
#include <sys/processor.h>
#include <sys/pset.h>
#include <sys/rtpriocntl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define IS(name, value) _Static_assert((name) == (value), #name)
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#define AT(type, member, bytes) _Static_assert(offsetof(type, member) == (bytes), #type "." #member)

/* sys/procset.h *, sys/types.h, sys/processor.h (PBIND_* *), sys/pset.h * */
IS(P_PID, 0);
IS(P_LWPID, 8);
IS(P_MYID, -1);
IS(PBIND_NONE, -1);
IS(PBIND_QUERY, -2);
IS(P_OFFLINE, 1);
IS(P_ONLINE, 2);
IS(P_STATUS, 3);
IS(P_FAULTED, 4);
IS(P_POWEROFF, 5);
IS(P_NOINTR, 6);
IS(P_SPARE, 7);
IS(PS_NONE, -1);
IS(PS_QUERY, -2);
SIZE(processorid_t, 4); /* * */
SIZE(psetid_t, 4);      /* * */
SIZE(id_t, 4);          /* * */

/* sys/priocntl.h, sys/rtpriocntl.h, sys/fxpriocntl.h; pri_t is a short (sys/types.h) */
IS(PC_GETCID, 0);
IS(PC_SETPARMS, 2);
IS(PC_GETPARMS, 3);
IS(PC_CLNULL, -1);
IS(RT_TQINF, -2);
IS(FX_TQINF, -2);
SIZE(pcinfo_t, 52);
SIZE(pcparms_t, 36);
AT(pcparms_t, pc_clparms, 4);
SIZE(rtparms_t, 12);
AT(rtparms_t, rt_tqnsecs, 8);
SIZE(fxparms_t, 12);
AT(fxparms_t, fx_uprilim, 2);

/* sys/kstat.h, for LP64: KSTAT_STRLEN and a byte make 32; longest member of the value is 16 */
IS(KSTAT_STRLEN, 31);
IS(KSTAT_TYPE_NAMED, 1);
IS(KSTAT_DATA_CHAR, 0);
IS(KSTAT_DATA_INT32, 1);
IS(KSTAT_DATA_UINT32, 2);
IS(KSTAT_DATA_INT64, 3);
IS(KSTAT_DATA_UINT64, 4);
IS(KSTAT_DATA_STRING, 9);
AT(kstat_t, ks_kid, 16);
AT(kstat_t, ks_module, 20);
AT(kstat_t, ks_instance, 52);
AT(kstat_t, ks_name, 56);
AT(kstat_t, ks_type, 87);
AT(kstat_t, ks_data, 120);
AT(kstat_t, ks_ndata, 128);
AT(kstat_t, ks_snaptime, 144);
SIZE(kstat_t, 184);
AT(kstat_named_t, data_type, 31);
AT(kstat_named_t, value, 32);
SIZE(kstat_named_t, 48);
AT(kstat_ctl_t, kc_chain, 8);

/* sys/errno.h * */
IS(EPERM, 1);
IS(EINTR, 4);
IS(ENXIO, 6);
IS(EAGAIN, 11);
IS(EEXIST, 17);
IS(EXDEV, 18);
IS(EINVAL, 22);
IS(ENOSPC, 28);
IS(ERANGE, 34);
IS(ENOTSUP, 48);
IS(EPROTO, 71);
IS(ENAMETOOLONG, 78);
IS(EOVERFLOW, 79);
IS(ENOSYS, 89);
IS(ETIMEDOUT, 145);

/* sys/fcntl.h *, sys/mman.h (PROT_*, MAP_* *), sys/unistd.h, sys/poll.h *, spawn.h * */
IS(O_WRONLY, 1);
IS(O_CREAT, 0x100);
IS(O_TRUNC, 0x200);
IS(F_SETFD, 2);
IS(PROT_READ | PROT_WRITE, 3);
IS(MAP_PRIVATE, 2);
IS(MAP_ANON, 0x100);
IS(MAP_ALIGN, 0x200);
IS(MC_HAT_ADVISE, 7);
IS(MHA_MAPSIZE_VA, 1);
SIZE(struct memcntl_mha, 16);
IS(_SC_CLK_TCK, 3);
IS(_SC_PAGESIZE, 11);
IS(_SC_PHYS_PAGES, 500);
IS(POLLIN, 1);
IS(POSIX_SPAWN_SETPGROUP, 2);
IS(POSIX_SPAWN_SETSIGMASK, 8);
SIZE(posix_spawnattr_t, 8);
SIZE(posix_spawn_file_actions_t, 8);

/* sys/time_impl.h *, sys/signal.h *, sys/types.h and pthread.h *, semaphore.h *, sys/utsname.h * */
IS(CLOCK_REALTIME, 3);
IS(CLOCK_HIGHRES, 4);
IS(TIMER_ABSTIME, 1);
IS(SIGINT, 2);
IS(SIGKILL, 9);
IS(SIGPIPE, 13);
IS(SIGTERM, 15);
SIZE(sigset_t, 16);
SIZE(struct sigaction, 32);
AT(struct sigaction, sa_mask, 16);
SIZE(pthread_t, 4);
SIZE(pthread_mutex_t, 24);
SIZE(sem_t, 48);
SIZE(struct utsname, 5 * 257);
SIZE(struct timespec, 16);

/* libc's mapfile-vers: _iob is 2560 bytes for 20 streams. sys/procfs.h: twenty times, then the counts. */
SIZE(FILE, 128);
AT(prusage_t, pr_minf, 8 + 20 * 16);
AT(prusage_t, pr_vctx, 8 + 20 * 16 + 8 * 8);
SIZE(prusage_t, 8 + 20 * 16 + 22 * 8);
