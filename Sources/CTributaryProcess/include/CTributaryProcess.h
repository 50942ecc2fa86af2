#ifndef TRIBUTARY_PROCESS_H
#define TRIBUTARY_PROCESS_H

#include <stdint.h>

// Bytes that Apple's systems count as this process's own, by which they also decide which process they end; -1 elsewhere, and
// when the system does not tell.
int64_t tributary_footprint(void);

// Nanoseconds for which the processor has worked for the calling thread; 0 when the system does not tell.
int64_t tributary_thread_nanoseconds(void);

// The processor time of the calling thread as a clock that other threads of the process can read.
int64_t tributary_thread_clock(void);

// Nanoseconds for which the processor has worked for the thread of that clock; 0 when the system does not tell, and after the
// end of the thread.
int64_t tributary_thread_clock_nanoseconds(int64_t clock);

#endif
