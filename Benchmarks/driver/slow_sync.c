// A disk that takes five milliseconds to sync: to be preloaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int later(const char *name, int file) {
    const struct timespec pause = {0, 5000000};
    nanosleep(&pause, 0);
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return real(file);
}

int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }
