/* SIGINT and SIGTERM end a sweep between records; SIGPIPE becomes a write error. */
#ifndef CMTNOISE_SIGNALS_H
#define CMTNOISE_SIGNALS_H

/* From now on the two signals are remembered, and break off os_join(). Threads started later do not take them. */
void signals_catch(void);

int signals_caught(void); /* SIGINT or SIGTERM, 0 if none came */

#endif
