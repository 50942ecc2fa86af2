#define _GNU_SOURCE
#include "CWorkerProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// MARK: the parent

static int start(
    const char *path, char *const arguments[], char *const environment[], int theirs, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0) return result;
    result = posix_spawnattr_init(&attributes);
    if (result != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return result;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (result == 0) result = posix_spawnattr_setsigmask(&attributes, &none);
    if (result == 0) result = posix_spawnattr_setsigdefault(&attributes, &all);
    if (result == 0) result = posix_spawnattr_setpgroup(&attributes, 0);
    if (result == 0) {
        result = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    if (result == 0) result = posix_spawn_file_actions_adddup2(&actions, theirs, 0);
    if (result == 0) result = posix_spawn_file_actions_adddup2(&actions, theirs, 1);
    if (result == 0) result = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (result == 0) result = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

int tributary_worker_start(
    const char *path, char *const arguments[], char *const environment[], pid_t *process, int *socket) {
    int pair[2];
#ifdef __linux__
    // A process that another thread starts meanwhile must not get them.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return errno;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return errno;
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    int on = 1;
    setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#endif
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    int result = start(path, arguments, environment, pair[1], process);
    close(pair[1]);
    if (result != 0) {
        close(pair[0]);
        return result;
    }
    *socket = pair[0];
    return 0;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until the socket is ready. Returns 0, ETIMEDOUT or another error.
static int await(int socket, short events, int64_t end) {
    while (1) {
        int64_t left = end - now();
        if (left <= 0) return ETIMEDOUT;
        struct pollfd entry = {.fd = socket, .events = events};
        int count = poll(&entry, 1, (int)left);
        if (count > 0) return 0;
        if (count < 0 && errno != EINTR) return errno;
    }
}

#ifdef MSG_NOSIGNAL
#define NO_SIGNAL MSG_NOSIGNAL
#else
#define NO_SIGNAL 0
#endif

int tributary_worker_send(int socket, const void *bytes, size_t count, int milliseconds) {
    int64_t end = now() + milliseconds;
    const char *place = bytes;
    while (count > 0) {
        ssize_t sent = send(socket, place, count, NO_SIGNAL);
        if (sent > 0) {
            place += sent;
            count -= (size_t)sent;
        } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            int result = await(socket, POLLOUT, end);
            if (result != 0) return result;
        } else if (sent == 0 || errno != EINTR) {
            return sent == 0 ? EPIPE : errno;
        }
    }
    return 0;
}

int tributary_worker_receive(int socket, void *bytes, size_t count, int milliseconds) {
    int64_t end = now() + milliseconds;
    char *place = bytes;
    while (count > 0) {
        ssize_t received = recv(socket, place, count, 0);
        if (received > 0) {
            place += received;
            count -= (size_t)received;
        } else if (received == 0) {
            return EPIPE;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            int result = await(socket, POLLIN, end);
            if (result != 0) return result;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int tributary_worker_end(pid_t process) {
    int status = 0;
    kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

// MARK: the worker

int tributary_worker_read(void *bytes, size_t count) {
    char *place = bytes;
    while (count > 0) {
        ssize_t got = read(0, place, count);
        if (got == 0) return EPIPE;
        if (got < 0 && errno != EINTR) return errno;
        if (got > 0) {
            place += got;
            count -= (size_t)got;
        }
    }
    return 0;
}

int tributary_worker_write(const void *bytes, size_t count) {
    const char *place = bytes;
    while (count > 0) {
        ssize_t put = write(1, place, count);
        if (put < 0 && errno != EINTR) return errno;
        if (put > 0) {
            place += put;
            count -= (size_t)put;
        }
    }
    return 0;
}

void tributary_worker_close_files(void) {
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return;
#endif
    long last = sysconf(_SC_OPEN_MAX);
    for (int file = 3; file < (last > 0 && last < 65536 ? last : 65536); file += 1) close(file);
}

static int limit(int resource, rlim_t value) {
    struct rlimit bounds = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &bounds) == 0 ? 0 : errno;
}

#ifdef __linux__
// Bytes of the process that count against RLIMIT_DATA; 0 when the system does not tell.
static uint64_t data_bytes(void) {
    FILE *file = fopen("/proc/self/status", "re");
    if (file == NULL) return 0;
    char line[256];
    unsigned long long kilobytes = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "VmData: %llu kB", &kilobytes) == 1) break;
    }
    fclose(file);
    return kilobytes * 1024;
}
#endif

int tributary_worker_limit(uint64_t more_bytes) {
    int result = 0;
#ifdef __linux__
    // Engines reserve far more addresses than they use, so the addresses are no measure.
    uint64_t bytes = data_bytes();
    if (bytes > 0) result = limit(RLIMIT_DATA, bytes + more_bytes);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
    (void)more_bytes;
#endif
    if (result == 0) result = limit(RLIMIT_FSIZE, 0);
    if (result == 0) result = limit(RLIMIT_CORE, 0);
    return result;
}

void tributary_worker_end_after(unsigned seconds) { alarm(seconds); }

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#ifdef __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), RETURN(SECCOMP_RET_ALLOW)

// A call is allowed when an argument has the value or, with BPF_JSET, one of its bits; else it fails.
#define ALLOW_WITH(name, argument, comparison, value)                                                              \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD(args[argument]),                                    \
        BPF_JUMP(BPF_JMP | comparison | BPF_K, (value), 0, 1), RETURN(SECCOMP_RET_ALLOW),                            \
        RETURN(SECCOMP_RET_ERRNO | EPERM)

// Numbers of calls from here on are those of another interface of the same processor.
#define OTHER_INTERFACE 0x40000000u

int tributary_worker_confine(void) {
    uint32_t own = (uint32_t)getpid();
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_INTERFACE, 0, 1),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        // The files that are open: the socket to the server and the figures of the own memory.
        ALLOW(read), ALLOW(write), ALLOW(pread64), ALLOW(writev), ALLOW(close), ALLOW(lseek), ALLOW(fstat),
        // The own memory.
        ALLOW(munmap), ALLOW(mprotect), ALLOW(madvise), ALLOW(mremap), ALLOW(brk), ALLOW(mincore), ALLOW(membarrier),
        // The own threads and signals. The engine stops its threads with a signal whose handler waits for another signal;
        // if that wait failed, its collector would read the stacks of threads that run.
        ALLOW(futex), ALLOW(set_robust_list), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn),
        ALLOW(rt_sigsuspend),
        ALLOW(sigaltstack), ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(getpid), ALLOW(gettid),
        ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group),
#ifdef SYS_rseq
        ALLOW(rseq),
#endif
#ifdef SYS_alarm
        ALLOW(alarm),
#endif
        ALLOW(setitimer),
#ifdef SYS_poll
        ALLOW(poll),
#endif
        ALLOW(ppoll),
        // Clocks and random numbers.
        ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
        ALLOW(getrandom), ALLOW(getrusage), ALLOW(times), ALLOW(sysinfo), ALLOW(uname),
        // The C library makes a thread with the older call when this one is not there. Its flags can be looked at, those of
        // the newer call cannot.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        ALLOW_WITH(clone, 0, BPF_JSET, CLONE_THREAD),
        // Memory without a file behind it.
        ALLOW_WITH(mmap, 3, BPF_JSET, MAP_ANONYMOUS),
        // Signals to the own threads.
        ALLOW_WITH(tgkill, 0, BPF_JEQ, own),
        // The name of a thread, which a debugger shows.
        ALLOW_WITH(prctl, 0, BPF_JEQ, PR_SET_NAME),
        RETURN(SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result == 0) return 0;
    return result < 0 ? errno : EAGAIN;
}
#else
int tributary_worker_confine(void) { return ENOSYS; }
#endif
