#include "CTributaryProcess.h"

#include <time.h>

int64_t tributary_thread_nanoseconds(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#ifdef __APPLE__
#include <mach/mach.h>

int64_t tributary_footprint(void) {
    task_vm_info_data_t info;
    mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
    if (task_info(mach_task_self(), TASK_VM_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) return -1;
    // Older systems fill less of it.
    if (count < TASK_VM_INFO_REV1_COUNT) return -1;
    return (int64_t)info.phys_footprint;
}
#else
int64_t tributary_footprint(void) { return -1; }
#endif
