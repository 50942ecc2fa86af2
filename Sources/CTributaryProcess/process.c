#include "CTributaryProcess.h"

#include <pthread.h>
#include <time.h>

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return 0;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t tributary_thread_nanoseconds(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

#ifdef __APPLE__
#include <mach/mach.h>

int64_t tributary_thread_clock(void) { return pthread_mach_thread_np(pthread_self()); }

int64_t tributary_thread_clock_nanoseconds(int64_t clock) {
    thread_basic_info_data_t info;
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
    if (thread_info((thread_act_t)clock, THREAD_BASIC_INFO, (thread_info_t)&info, &count) != KERN_SUCCESS) return 0;
    int64_t seconds = (int64_t)info.user_time.seconds + info.system_time.seconds;
    return (seconds * 1000000 + info.user_time.microseconds + info.system_time.microseconds) * 1000;
}

int64_t tributary_footprint(void) {
    task_vm_info_data_t info;
    mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
    if (task_info(mach_task_self(), TASK_VM_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) return -1;
    // Older systems fill less of it.
    if (count < TASK_VM_INFO_REV1_COUNT) return -1;
    return (int64_t)info.phys_footprint;
}
#else
int64_t tributary_thread_clock(void) {
    clockid_t clock;
    return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : -1;
}

int64_t tributary_thread_clock_nanoseconds(int64_t clock) { return nanoseconds((clockid_t)clock); }

int64_t tributary_footprint(void) { return -1; }
#endif
