// For the nanoseconds of the times.
#define _DEFAULT_SOURCE

#include "CWorkspaceFileStatus.h"

#include <errno.h>
#include <sys/stat.h>

#ifdef __APPLE__
#define modified_time st_mtimespec
#define changed_time st_ctimespec
#else
#define modified_time st_mtim
#define changed_time st_ctim
#endif

static int taken(int result, const struct stat *found, struct tributary_file_status *status) {
    if (result != 0) { return errno; }
    *status = (struct tributary_file_status){
        .device = (uint64_t)found->st_dev,
        .inode = (uint64_t)found->st_ino,
        .size = (int64_t)found->st_size,
        .is_regular = S_ISREG(found->st_mode),
        .modified = {found->modified_time.tv_sec, found->modified_time.tv_nsec},
        .changed = {found->changed_time.tv_sec, found->changed_time.tv_nsec},
    };
    return 0;
}

int tributary_status_at(const char *path, struct tributary_file_status *status) {
    struct stat found;
    return taken(stat(path, &found), &found, status);
}

int tributary_status_of(int file, struct tributary_file_status *status) {
    struct stat found;
    return taken(fstat(file, &found), &found, status);
}
