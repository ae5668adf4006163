/* Solaris: real-time scheduling of the calling thread, by priocntl(2): class RT, above every thread of the system itself, and where that
 * is not to be had (a zone without it) class FX at its highest priority, level with the lowest of the system's. Neither is above
 * interrupts, so clock() and devices still come through. */
#include <errno.h>
#include <string.h>
#include <sys/fxpriocntl.h>
#include <sys/priocntl.h>
#include <sys/procset.h>
#include <sys/rtpriocntl.h>
#include <sys/types.h>
#include "harness/os/os.h"
#include "harness/why.h"

enum { RT_PRIORITY = 0, FX_PRIORITY = 60 };

/* The class's number in this boot, or -errno. */
static int class_number(const char *name)
{
	pcinfo_t class;
	memset(&class, 0, sizeof class);
	strlcpy(class.pc_clname, name, sizeof class.pc_clname);
	return priocntl(0, 0, PC_GETCID, (caddr_t) & class) == -1 ? -errno : (int)class.pc_cid;
}

/* Sets the class and reads it back. */
static int set_class(pcparms_t *parameters)
{
	pcparms_t now;
	memset(&now, 0, sizeof now);
	now.pc_cid = PC_CLNULL; /* whatever class it is in */
	if (priocntl(P_LWPID, P_MYID, PC_SETPARMS, (caddr_t)parameters) == -1 ||
	    priocntl(P_LWPID, P_MYID, PC_GETPARMS, (caddr_t)&now) == -1)
		return -errno;
	return now.pc_cid == parameters->pc_cid ? 0 : -EPERM;
}

static int set_rt(void)
{
	pcparms_t parameters;
	rtparms_t *rt = (rtparms_t *)parameters.pc_clparms;
	int class = class_number("RT");
	memset(&parameters, 0, sizeof parameters);
	parameters.pc_cid = class;
	rt->rt_pri = RT_PRIORITY;
	rt->rt_tqnsecs = RT_TQINF;
	return class < 0 ? class : set_class(&parameters);
}

static int set_fx(void)
{
	pcparms_t parameters;
	fxparms_t *fx = (fxparms_t *)parameters.pc_clparms;
	int class = class_number("FX");
	memset(&parameters, 0, sizeof parameters);
	parameters.pc_cid = class;
	fx->fx_upri = fx->fx_uprilim = FX_PRIORITY;
	fx->fx_tqnsecs = FX_TQINF;
	return class < 0 ? class : set_class(&parameters);
}

int os_realtime(const char **name, struct why *why)
{
	int rt_error = set_rt(), fx_error;
	why_set(why, 0, "%s", "");
	if (!rt_error) {
		*name = "rt 0";
		return 0;
	}
	fx_error = set_fx();
	if (fx_error)
		return why_set(why, fx_error,
			       "class RT: %s; class FX: %s: run as root, or with the privilege proc_priocntl "
			       "(usermod -K defaultpriv=basic,proc_priocntl USER)",
			       strerror(-rt_error), strerror(-fx_error));
	*name = "fx 60";
	why_set(why, 0,
		"scheduled by class FX, since class RT is refused here (%s): threads of the system itself come first",
		strerror(-rt_error));
	return 0;
}
