/* Solaris: what would disturb or limit a measurement here. A check is one function in the table. */
#include "harness/os/solaris-doctor.h"
#include "harness/os/os.h"

int os_doctor(struct findings *findings, const struct topology *t)
{
	static void (*const checks[])(struct findings *, const struct topology *) = {
		doctor_timer,     doctor_strands, doctor_sets,       doctor_cores, doctor_zone,
		doctor_realtime,  doctor_locking, doctor_hypervisor, doctor_speed, doctor_smt,
		doctor_tick_rate, doctor_tick,    doctor_interrupts, doctor_load,  doctor_causes,
	};
	return doctor_run(checks, sizeof checks / sizeof *checks, findings, t);
}
