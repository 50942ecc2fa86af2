#ifndef TRIBUTARY_FILE_STATUS_H
#define TRIBUTARY_FILE_STATUS_H

// The status of a file, in types of its own. `struct stat` comes with several modules of C, and the compiler takes it for
// a type of the first one that a program loads, which a source file cannot import.

#include <stdint.h>

struct tributary_file_status {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    /// Whether it is a file with content, and no folder, pipe or device.
    int is_regular;
    /// When the content and the inode changed last: seconds and nanoseconds.
    int64_t modified[2];
    int64_t changed[2];
};

/// Reads the status of the file at a path. A link is followed.
/// @return 0, or the error of the system.
int tributary_status_at(const char *path, struct tributary_file_status *status);

/// Reads the status of an open file.
/// @return 0, or the error of the system.
int tributary_status_of(int file, struct tributary_file_status *status);

#endif
