// Writes down what a process does to the files below a folder, in the order in which the calls took effect, and makes
// single calls fail when it is told to. A test tool: it is loaded before the C library with LD_PRELOAD.
//
//   POWER_ROOT     the folder, as a real path
//   POWER_LOG      the file to write to; several processes may share it
//   POWER_DELAY    microseconds that a sync takes, so that other threads write meanwhile
//   POWER_SKIP     calls that succeed without doing anything (see `is_of`), to see that the test notices: "sync:TEXT",
//                  "folder:TEXT", where TEXT is a part of the path, or with a $ behind it the path's end
//   POWER_FAULT    "N:ERRNO:COUNT": the Nth call that can fail, and COUNT-1 after it, fail
//   POWER_FAULT_OF counts only syncs for that, and only these, in the form of POWER_SKIP
//   POWER_FULL     a file: while it is there, the disk is full, and every call that needs room fails
//   POWER_CLOCK    seconds by which the clock of the wall is ahead
//
// A call and its record are made under one lock, across processes too. A sync has two records, its beginning and its end,
// and the lock is free in between. A record is a head (struct head) with two paths and data behind it.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum operation {
    op_open = 'o', op_close = 'c', op_dup = 'd', op_write = 'w', op_truncate = 't', op_rename = 'r', op_link = 'l',
    op_unlink = 'u', op_mkdir = 'm', op_rmdir = 'x', op_sync_begin = 'b', op_sync_end = 'e', op_sync_failed = 'f',
    op_answer = 'a', op_mark = 'k', op_mapped = 'p', op_unseen = '!', op_fault = 'i',
};

struct head {
    uint32_t length;  // of the whole record
    uint32_t pid;
    int32_t fd;
    uint8_t operation;
    uint8_t flag;
    uint16_t path;  // bytes
    uint16_t other;  // bytes
    uint16_t reserved;
    uint32_t data;  // bytes
    uint64_t a, b;
} __attribute__((packed));

enum { descriptors = 1 << 16 };
// What a descriptor is: 0 for what is not below the folder, 1 for a file, 2 for a folder.
static unsigned char tracked[descriptors];
static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static int delay;
static char skip_kind[16], skip_text[256], fault_kind[16], fault_text[256];
static long fault_at, fault_errno, fault_count, calls;
static char full_flag[PATH_MAX];
static long ahead;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static uint64_t syncs;

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })

// The C library's own, because this library has one by that name too.
static long (*real_syscall(void))(long, ...) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real;
}
#define raw(...) (real_syscall()(__VA_ARGS__))

// MARK: The log

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("POWER_ROOT"), *file = getenv("POWER_LOG");
    if (!path || !file) return;
    strncpy(root, path, sizeof root - 1);
    root_length = strlen(root);
    log_fd = raw(SYS_open, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    // Out of the way of programs that count on small numbers.
    int high = raw(SYS_fcntl, log_fd, F_DUPFD_CLOEXEC, 900);
    if (high >= 0) { raw(SYS_close, log_fd); log_fd = high; }
    if (getenv("POWER_DELAY")) delay = atoi(getenv("POWER_DELAY"));
    if (getenv("POWER_SKIP")) sscanf(getenv("POWER_SKIP"), "%15[^:]:%255s", skip_kind, skip_text);
    if (getenv("POWER_FAULT_OF")) sscanf(getenv("POWER_FAULT_OF"), "%15[^:]:%255s", fault_kind, fault_text);
    if (getenv("POWER_FULL")) strncpy(full_flag, getenv("POWER_FULL"), sizeof full_flag - 1);
    if (getenv("POWER_FAULT")) sscanf(getenv("POWER_FAULT"), "%ld:%ld:%ld", &fault_at, &fault_errno, &fault_count);
}

static void lock(void) {
    pthread_mutex_lock(&mutex);
    if (log_fd >= 0) while (raw(SYS_flock, log_fd, LOCK_EX) != 0 && errno == EINTR) {}
}

static void unlock(void) {
    int saved = errno;
    if (log_fd >= 0) raw(SYS_flock, log_fd, LOCK_UN);
    pthread_mutex_unlock(&mutex);
    errno = saved;
}

static void put_parts(
    enum operation operation, int fd, int flag, uint64_t a, uint64_t b, const char *path, const char *other,
    const struct iovec *data, int parts, size_t limit
) {
    if (log_fd < 0) return;
    int saved = errno;
    struct head head = {0};
    head.pid = getpid(), head.fd = fd, head.operation = operation, head.flag = flag, head.a = a, head.b = b;
    head.path = path ? strlen(path) : 0, head.other = other ? strlen(other) : 0;
    struct iovec all[1100];
    int count = 1;
    all[count++] = (struct iovec){(void *)(path ? path : ""), head.path};
    all[count++] = (struct iovec){(void *)(other ? other : ""), head.other};
    for (int i = 0; i < parts && count < 1100; i++) {
        size_t length = data[i].iov_len < limit ? data[i].iov_len : limit;
        limit -= length;
        head.data += length;
        all[count++] = (struct iovec){data[i].iov_base, length};
    }
    head.length = sizeof head + head.path + head.other + head.data;
    all[0] = (struct iovec){&head, sizeof head};
    int first = 0;
    while (first < count) {
        int chunk = count - first < 1000 ? count - first : 1000;
        ssize_t result = raw(SYS_writev, log_fd, all + first, chunk);
        if (result < 0 && errno == EINTR) continue;
        if (result < 0) abort();
        while (first < count && (size_t)result >= all[first].iov_len) result -= all[first++].iov_len;
        if (first < count) {
            all[first].iov_base = (char *)all[first].iov_base + result;
            all[first].iov_len -= result;
        }
    }
    errno = saved;
}

static void put(enum operation operation, int fd, int flag, uint64_t a, uint64_t b, const char *path, const char *other) {
    put_parts(operation, fd, flag, a, b, path, other, NULL, 0, 0);
}

// What this library does not understand makes the recording worthless.
static void unseen(const char *call, const char *path) { put(op_unseen, -1, 0, 0, 0, path, call); }

// MARK: Paths

// The path with the folder that it is relative to, without dots; false when it is not below the root.
static int absolute(int folder, const char *path, char *result) {
    char whole[2 * PATH_MAX];
    if (!path || !root_length) return 0;
    if (path[0] == '/') {
        snprintf(whole, sizeof whole, "%s", path);
    } else {
        char base[PATH_MAX];
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t length = raw(SYS_readlink, link, base, sizeof base - 1);
            if (length < 0) return 0;
            base[length] = 0;
        }
        snprintf(whole, sizeof whole, "%s/%s", base, path);
    }
    size_t length = 0;
    char *rest = whole, *part;
    while ((part = strsep(&rest, "/"))) {
        if (!*part || !strcmp(part, ".")) continue;
        if (!strcmp(part, "..")) {
            while (length > 0 && result[--length] != '/') {}
            continue;
        }
        if (length + strlen(part) + 2 > PATH_MAX) return 0;
        result[length++] = '/';
        strcpy(result + length, part);
        length += strlen(part);
    }
    result[length] = 0;
    return !strncmp(result, root, root_length) && (result[root_length] == '/' || !result[root_length]);
}

static int is_tracked(int fd) { return fd >= 0 && fd < descriptors && tracked[fd]; }

static int is_there(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

// MARK: Faults

static int needs_room(const char *call) {
    static const char *calls[] = {"write", "create", "mkstemp", "fallocate", "link", "mkdir"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) if (!strcmp(call, calls[i])) return 1;
    return 0;
}

// Whether this call is to fail; called with the lock held, for calls that change something or sync.
static int fails(const char *call) {
    if (*fault_kind && strcmp(call, "sync")) return 0;
    calls++;
    if (*full_flag && needs_room(call) && raw(SYS_access, full_flag, F_OK) == 0) {
        put(op_fault, -1, 0, calls, ENOSPC, "", call);
        errno = ENOSPC;
        return 1;
    }
    if (!fault_at || calls < fault_at || calls >= fault_at + fault_count) return 0;
    put(op_fault, -1, 0, calls, fault_errno, "", call);
    errno = fault_errno;
    return 1;
}

// The number of calls that could have failed, for the sweep. The lock is kept: from here on the process may end at any
// moment, and then no other thread is between a call and the record of it.
__attribute__((destructor)) static void end(void) {
    if (log_fd < 0) return;
    lock();
    put(op_fault, -1, 1, calls, 0, "", "");
}

// MARK: Opening and closing

static void opened(int fd, const char *path, int flags, int was_there) {
    struct stat info;
    if (fd < 0 || fd >= descriptors) return;
    tracked[fd] = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode) ? 2 : 1;
    put(op_open, fd, (was_there ? 0 : 1) | (flags & O_TRUNC ? 2 : 0) | (tracked[fd] == 2 ? 4 : 0), flags, 0, path, NULL);
}

static int open_any(int folder, const char *path, int flags, mode_t mode) {
    char full[PATH_MAX];
    if (log_fd < 0 || !absolute(folder, path, full)) {
        int fd = raw(SYS_openat, folder, path, flags, mode);
        if (is_tracked(fd)) tracked[fd] = 0;
        return fd;
    }
    lock();
    int was_there = is_there(full), fd = -1;
    int changes = flags & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR);
    if ((flags & O_TMPFILE) == O_TMPFILE) unseen("O_TMPFILE", full);
    if (!changes || !fails(flags & O_CREAT && !was_there ? "create" : "open")) fd = raw(SYS_openat, folder, path, flags, mode);
    if (fd >= 0) opened(fd, full, flags, was_there);
    unlock();
    return fd;
}

#define OPENING(flags) mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, int); va_end(list); }

int open(const char *path, int flags, ...) { OPENING(flags) return open_any(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { OPENING(flags) return open_any(AT_FDCWD, path, flags, mode); }
int openat(int fd, const char *path, int flags, ...) { OPENING(flags) return open_any(fd, path, flags, mode); }
int openat64(int fd, const char *path, int flags, ...) { OPENING(flags) return open_any(fd, path, flags, mode); }
int __open_2(const char *path, int flags) { return open_any(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_any(AT_FDCWD, path, flags, 0); }
int __openat_2(int fd, const char *path, int flags) { return open_any(fd, path, flags, 0); }
int __openat64_2(int fd, const char *path, int flags) { return open_any(fd, path, flags, 0); }
int creat(const char *path, mode_t mode) { return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static int named(char *template, int suffix, int flags, int (*make)(char *, int, int)) {
    char full[PATH_MAX];
    if (log_fd < 0 || !absolute(AT_FDCWD, template, full)) return make(template, suffix, flags);
    lock();
    int fd = fails("mkstemp") ? -1 : make(template, suffix, flags);
    if (fd >= 0 && absolute(AT_FDCWD, template, full)) opened(fd, full, O_RDWR | O_CREAT | O_EXCL, 0);
    unlock();
    return fd;
}

int mkstemp(char *template) { return named(template, 0, 0, REAL(mkostemps)); }
int mkstemp64(char *template) { return named(template, 0, 0, REAL(mkostemps)); }
int mkostemp(char *template, int flags) { return named(template, 0, flags, REAL(mkostemps)); }
int mkostemp64(char *template, int flags) { return named(template, 0, flags, REAL(mkostemps)); }
int mkstemps(char *template, int suffix) { return named(template, suffix, 0, REAL(mkostemps)); }
int mkostemps(char *template, int suffix, int flags) { return named(template, suffix, flags, REAL(mkostemps)); }

char *mkdtemp(char *template) {
    char full[PATH_MAX];
    char *result = REAL(mkdtemp)(template);
    if (result && absolute(AT_FDCWD, template, full)) { lock(); put(op_mkdir, -1, 0, 0, 0, full, NULL); unlock(); }
    return result;
}

// The stream's writes do not come by here.
static void stream(const char *path, const char *mode) {
    char full[PATH_MAX];
    if (log_fd >= 0 && path && strpbrk(mode, "wa+") && absolute(AT_FDCWD, path, full)) { lock(); unseen("fopen", full); unlock(); }
}

FILE *fopen(const char *path, const char *mode) { stream(path, mode); return REAL(fopen)(path, mode); }
FILE *fopen64(const char *path, const char *mode) { stream(path, mode); return REAL(fopen64)(path, mode); }
FILE *freopen(const char *path, const char *mode, FILE *file) { stream(path, mode); return REAL(freopen)(path, mode, file); }

int close(int fd) {
    if (fd == log_fd && fd >= 0) { errno = EBADF; return -1; }
    if (!is_tracked(fd)) return raw(SYS_close, fd);
    lock();
    tracked[fd] = 0;
    put(op_close, fd, 0, 0, 0, NULL, NULL);
    int result = raw(SYS_close, fd);
    unlock();
    return result;
}

static int copied(int fd, int copy) {
    if (copy >= 0 && copy < descriptors && copy != fd) {
        lock();
        tracked[copy] = fd >= 0 && fd < descriptors ? tracked[fd] : 0;
        if (tracked[copy]) put(op_dup, fd, 0, copy, 0, NULL, NULL);
        unlock();
    }
    return copy;
}

int dup(int fd) { return copied(fd, raw(SYS_dup, fd)); }
int dup2(int fd, int copy) { return fd == copy ? REAL(dup2)(fd, copy) : copied(fd, raw(SYS_dup3, fd, copy, 0)); }
int dup3(int fd, int copy, int flags) { return copied(fd, raw(SYS_dup3, fd, copy, flags)); }

static int control(int fd, int command, long argument) {
    int result = raw(SYS_fcntl, fd, command, argument);
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(fd, result) : result;
}

#define ARGUMENT(last) va_list list; va_start(list, last); long argument = va_arg(list, long); va_end(list);
int fcntl(int fd, int command, ...) { ARGUMENT(command) return control(fd, command, argument); }
int fcntl64(int fd, int command, ...) { ARGUMENT(command) return control(fd, command, argument); }

// MARK: Writing

// Answers of a server, by the port of the one who asked.
static void answer(int fd, const struct iovec *parts, int count) {
    if (log_fd < 0 || count < 1 || parts[0].iov_len < 12 || memcmp(parts[0].iov_base, "HTTP/1.1 ", 9)) return;
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &length) != 0) return;
    int port = peer.ss_family == AF_INET ? ntohs(((struct sockaddr_in *)&peer)->sin_port)
        : peer.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&peer)->sin6_port) : 0;
    lock();
    put(op_answer, fd, 0, port, atoi((char *)parts[0].iov_base + 9), NULL, NULL);
    unlock();
}

// Writes to a file; offset -1 is where the descriptor stands.
static ssize_t write_any(int fd, const struct iovec *parts, int count, off_t offset) {
    if (!is_tracked(fd)) {
        if (fd == 1 && log_fd >= 0 && count == 1) {
            lock();
            put_parts(op_mark, fd, 0, 0, 0, NULL, NULL, parts, count, SIZE_MAX);
            unlock();
        }
        if (offset < 0) answer(fd, parts, count);
        return offset < 0 ? raw(SYS_writev, fd, parts, count) : raw(SYS_pwritev, fd, parts, count, offset, 0);
    }
    lock();
    ssize_t result = -1;
    if (!fails("write")) {
        result = offset < 0 ? raw(SYS_writev, fd, parts, count) : raw(SYS_pwritev, fd, parts, count, offset, 0);
    }
    if (result > 0) {
        off_t at = offset < 0 ? raw(SYS_lseek, fd, 0, SEEK_CUR) - result : offset;
        put_parts(op_write, fd, 0, at, result, NULL, NULL, parts, count, result);
    }
    unlock();
    return result;
}

static ssize_t write_one(int fd, const void *bytes, size_t count, off_t offset) {
    struct iovec part = {(void *)bytes, count};
    return write_any(fd, &part, 1, offset);
}

ssize_t write(int fd, const void *bytes, size_t count) { return write_one(fd, bytes, count, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return write_one(fd, bytes, count, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) { return write_one(fd, bytes, count, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return write_any(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return write_any(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return write_any(fd, parts, count, offset); }

ssize_t pwritev2(int fd, const struct iovec *parts, int count, off_t offset, int flags) {
    if (is_tracked(fd)) { lock(); unseen("pwritev2", NULL); unlock(); }
    return REAL(pwritev2)(fd, parts, count, offset, flags);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    answer(fd, &(struct iovec){(void *)bytes, count}, 1);
    return raw(SYS_sendto, fd, bytes, count, flags, NULL, 0);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    answer(fd, message->msg_iov, message->msg_iovlen);
    return REAL(sendmsg)(fd, message, flags);
}

static int resize(int fd, const char *path, off_t size) {
    char full[PATH_MAX] = "";
    if (log_fd < 0 || !(fd >= 0 ? is_tracked(fd) : absolute(AT_FDCWD, path, full))) {
        return fd >= 0 ? raw(SYS_ftruncate, fd, size) : raw(SYS_truncate, path, size);
    }
    lock();
    int result = fails("truncate") ? -1 : fd >= 0 ? raw(SYS_ftruncate, fd, size) : raw(SYS_truncate, path, size);
    if (result == 0) put(op_truncate, fd, 0, size, 0, full, NULL);
    unlock();
    return result;
}

int ftruncate(int fd, off_t size) { return resize(fd, NULL, size); }
int ftruncate64(int fd, off64_t size) { return resize(fd, NULL, size); }
int truncate(const char *path, off_t size) { return resize(-1, path, size); }
int truncate64(const char *path, off64_t size) { return resize(-1, path, size); }

// Making room is a change of size at the most; anything else is refused, and programs then do without.
static int reserve(int fd, int mode, off_t offset, off_t count) {
    if (!is_tracked(fd)) return raw(SYS_fallocate, fd, mode, offset, count);
    struct stat info;
    lock();
    int result = -1;
    if (mode != 0 && mode != FALLOC_FL_KEEP_SIZE) errno = EOPNOTSUPP;
    else if (!fails("fallocate")) result = raw(SYS_fallocate, fd, mode, offset, count);
    if (result == 0 && mode == 0 && fstat(fd, &info) == 0) put(op_truncate, fd, 0, info.st_size, 0, "", NULL);
    unlock();
    return result;
}

int fallocate(int fd, int mode, off_t offset, off_t count) { return reserve(fd, mode, offset, count); }
int fallocate64(int fd, int mode, off64_t offset, off64_t count) { return reserve(fd, mode, offset, count); }
int posix_fallocate(int fd, off_t offset, off_t count) { return reserve(fd, 0, offset, count) ? errno : 0; }
int posix_fallocate64(int fd, off64_t offset, off64_t count) { return reserve(fd, 0, offset, count) ? errno : 0; }

// MARK: Names

static int name_two(
    enum operation operation, const char *call, int from_fd, const char *from, int to_fd, const char *to, int flags
) {
    char old[PATH_MAX], new[PATH_MAX];
    int is_rename = operation == op_rename;
    long number = is_rename ? SYS_renameat2 : SYS_linkat;
    int from_inside = absolute(from_fd, from, old), to_inside = absolute(to_fd, to, new);
    if (log_fd < 0 || (!from_inside && !to_inside)) return raw(number, from_fd, from, to_fd, to, flags);
    lock();
    if (from_inside != to_inside || (is_rename && flags & RENAME_EXCHANGE)) unseen(call, old);
    int result = fails(call) ? -1 : raw(number, from_fd, from, to_fd, to, flags);
    if (result == 0) put(operation, -1, 0, 0, 0, old, new);
    unlock();
    return result;
}

int rename(const char *from, const char *to) { return name_two(op_rename, "rename", AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return name_two(op_rename, "rename", a, from, b, to, 0); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    return name_two(op_rename, "rename", a, from, b, to, flags);
}
int link(const char *from, const char *to) { return name_two(op_link, "link", AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    return name_two(op_link, "link", a, from, b, to, flags);
}

static int remove_any(int folder, const char *path, int flags) {
    char full[PATH_MAX];
    if (log_fd < 0 || !absolute(folder, path, full)) return raw(SYS_unlinkat, folder, path, flags);
    lock();
    int result = fails("unlink") ? -1 : raw(SYS_unlinkat, folder, path, flags);
    if (result == 0) put(flags & AT_REMOVEDIR ? op_rmdir : op_unlink, -1, 0, 0, 0, full, NULL);
    unlock();
    return result;
}

int unlink(const char *path) { return remove_any(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return remove_any(folder, path, flags); }
int rmdir(const char *path) { return remove_any(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char *path) {
    struct stat info;
    if (lstat(path, &info) != 0) return -1;
    return remove_any(AT_FDCWD, path, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
}

static int make_folder(int folder, const char *path, mode_t mode) {
    char full[PATH_MAX];
    if (log_fd < 0 || !absolute(folder, path, full)) return raw(SYS_mkdirat, folder, path, mode);
    lock();
    int result = !is_there(full) && fails("mkdir") ? -1 : raw(SYS_mkdirat, folder, path, mode);
    if (result == 0) put(op_mkdir, -1, 0, 0, 0, full, NULL);
    unlock();
    return result;
}

int mkdir(const char *path, mode_t mode) { return make_folder(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return make_folder(folder, path, mode); }

int symlink(const char *target, const char *path) {
    char full[PATH_MAX];
    if (log_fd >= 0 && absolute(AT_FDCWD, path, full)) { lock(); unseen("symlink", full); unlock(); }
    return REAL(symlink)(target, path);
}

// MARK: Syncing

// Whether the sync of that descriptor is of a kind and of a path.
static int is_of(int fd, const char *kind, const char *text) {
    if (!*kind || strcmp(kind, tracked[fd] == 2 ? "folder" : "sync")) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = raw(SYS_readlink, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    size_t count = strlen(text);
    if (count > 0 && text[count - 1] == '$') {
        return length >= (ssize_t)count - 1 && !strncmp(path + length - count + 1, text, count - 1);
    }
    return strstr(path + root_length, text) != NULL;
}

static int sync_any(int fd, long number, int is_data) {
    if (!is_tracked(fd)) return raw(number, fd);
    lock();
    int is_skipped = is_of(fd, skip_kind, skip_text);
    uint64_t sync = ((uint64_t)getpid() << 32) + ++syncs;
    if (!is_skipped) put(op_sync_begin, fd, is_data, sync, 0, NULL, NULL);
    int has_failed = (!*fault_kind || is_of(fd, fault_kind, fault_text)) && fails("sync");
    unlock();
    if (delay > 0) usleep(delay);
    int result = has_failed ? -1 : raw(number, fd);
    if (has_failed) errno = fault_errno;
    lock();
    if (!is_skipped) put(result == 0 ? op_sync_end : op_sync_failed, fd, is_data, sync, 0, NULL, NULL);
    unlock();
    return result;
}

int fsync(int fd) { return sync_any(fd, SYS_fsync, 0); }
int fdatasync(int fd) { return sync_any(fd, SYS_fdatasync, 1); }

// These promise less than they seem to (ranges) or more than the test needs (everything): what they do counts for nothing.
int sync_file_range(int fd, off64_t offset, off64_t count, unsigned flags) {
    return REAL(sync_file_range)(fd, offset, count, flags);
}
int syncfs(int fd) { return REAL(syncfs)(fd); }

// MARK: The clock

// Programs begin some of their runs on another day.
__attribute__((constructor)) static void set_clock(void) {
    if (getenv("POWER_CLOCK")) ahead = atol(getenv("POWER_CLOCK"));
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = raw(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int result = raw(SYS_gettimeofday, now, zone);
    if (result == 0) now->tv_sec += ahead;
    return result;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

// MARK: What cannot be seen

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
    if (is_tracked(fd) && (flags & MAP_TYPE) != MAP_PRIVATE && protection & PROT_WRITE) {
        lock();
        put(op_mapped, fd, 0, 0, 0, NULL, NULL);
        unlock();
    }
    return (void *)raw(SYS_mmap, address, length, protection, flags, fd, offset);
}
void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    return mmap64(address, length, protection, flags, fd, offset);
}

ssize_t copy_file_range(int from, off64_t *a, int to, off64_t *b, size_t count, unsigned flags) {
    // Programs then read and write instead.
    if (is_tracked(to)) { errno = ENOSYS; return -1; }
    return REAL(copy_file_range)(from, a, to, b, count, flags);
}
ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    if (is_tracked(to)) { errno = EINVAL; return -1; }
    return REAL(sendfile)(to, from, offset, count);
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) {
    if (is_tracked(to)) { errno = EINVAL; return -1; }
    return REAL(sendfile64)(to, from, offset, count);
}

int ioctl(int fd, unsigned long request, ...) {
    ARGUMENT(request)
    // FICLONE and FICLONERANGE.
    if (is_tracked(fd) && (request == 0x40049409 || request == 0x4020940d)) { errno = EOPNOTSUPP; return -1; }
    return raw(SYS_ioctl, fd, request, argument);
}

// Raw calls that would change files or bring them to the medium; io_uring counts, whatever it is used for.
static int is_unseen(long number, long a) {
    switch (number) {
    case SYS_write: case SYS_pwrite64: case SYS_writev: case SYS_pwritev: case SYS_pwritev2: case SYS_ftruncate:
    case SYS_fallocate: case SYS_fsync: case SYS_fdatasync: case SYS_sendfile: case SYS_dup: case SYS_close:
        return is_tracked(a);
    case SYS_copy_file_range: case SYS_splice: case SYS_open: case SYS_openat: case SYS_openat2: case SYS_creat:
    case SYS_rename: case SYS_renameat: case SYS_renameat2: case SYS_link: case SYS_linkat: case SYS_unlink:
    case SYS_unlinkat: case SYS_mkdir: case SYS_mkdirat: case SYS_truncate: case SYS_io_uring_setup:
        return 1;
    default:
        return 0;
    }
}

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (log_fd >= 0 && is_unseen(number, a)) {
        char name[32];
        snprintf(name, sizeof name, "syscall(%ld)", number);
        lock();
        unseen(name, NULL);
        unlock();
    }
    return raw(number, a, b, c, d, e, f);
}
