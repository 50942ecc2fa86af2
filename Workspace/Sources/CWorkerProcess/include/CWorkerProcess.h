#ifndef TRIBUTARY_WORKER_PROCESS_H
#define TRIBUTARY_WORKER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

// Starts a program with one end of a pair of sockets as its standard input and output. Its standard error is lost, it has no
// other open files, and its group of processes is its own.
//
// Returns 0, or the number of the system's error. `socket` is this process's end.
int tributary_worker_start(
    const char *path, char *const arguments[], char *const environment[], pid_t *process, int *socket);

// Sends all bytes. Returns 0, or the number of the system's error; ETIMEDOUT when it takes longer than the milliseconds.
int tributary_worker_send(int socket, const void *bytes, size_t count, int milliseconds);

// Receives exactly so many bytes. Returns 0, or the number of the system's error: EPIPE when the other side has closed,
// ETIMEDOUT when it takes longer than the milliseconds.
int tributary_worker_receive(int socket, void *bytes, size_t count, int milliseconds);

// Ends the process and waits until it has ended. Returns the status of `waitpid`, or -1 when there is no such process.
int tributary_worker_end(pid_t process);

// Reads exactly so many bytes from standard input, and writes all bytes to standard output. Return 0, or the number of the
// system's error; EPIPE when the other side has closed.
int tributary_worker_read(void *bytes, size_t count);
int tributary_worker_write(const void *bytes, size_t count);

// Closes all files but the standard ones. Called by the worker before it reads anything.
void tributary_worker_close_files(void);

// Limits of the process: bytes of memory beyond what it has now, no bytes in files, no image of the memory when it crashes.
// They can only become smaller from now on. Returns 0, or the number of the system's error.
int tributary_worker_limit(uint64_t more_bytes);

// The system ends the process after so many seconds, unless this is called again before; 0 takes the order back.
void tributary_worker_end_after(unsigned seconds);

// Takes from all threads of the process every call of the system but those of its own memory, its threads, its clock and the
// files that are open. Another call fails with EPERM. Nothing gives the rights back.
//
// Returns 0, or the number of the system's error; ENOSYS where the system has no such filter.
int tributary_worker_confine(void);

#endif
