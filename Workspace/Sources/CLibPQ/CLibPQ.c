#include "CLibPQ.h"

#include <dlfcn.h>

static const char *const names[] = {
#ifdef __APPLE__
    "libpq.5.dylib",
    "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
};

static void *open_library(void) {
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

// A pointer to data becomes one to a function by way of memory, as POSIX has it.
#define FIND(member, symbol)                                            \
    do {                                                                \
        *(void **)(void *)&functions->member = dlsym(library, symbol); \
        if (!functions->member) return 0;                               \
    } while (0)

int tributary_libpq_load(struct tributary_libpq *functions) {
    void *library = open_library();
    if (!library) return 0;
    FIND(connect_start, "PQconnectStartParams");
    FIND(connect_poll, "PQconnectPoll");
    FIND(status, "PQstatus");
    FIND(error_message, "PQerrorMessage");
    FIND(socket, "PQsocket");
    FIND(finish, "PQfinish");
    FIND(set_nonblocking, "PQsetnonblocking");
    FIND(send_query, "PQsendQueryParams");
    FIND(flush, "PQflush");
    FIND(consume_input, "PQconsumeInput");
    FIND(is_busy, "PQisBusy");
    FIND(get_result, "PQgetResult");
    FIND(result_status, "PQresultStatus");
    FIND(result_error_field, "PQresultErrorField");
    FIND(row_count, "PQntuples");
    FIND(column_count, "PQnfields");
    FIND(value, "PQgetvalue");
    FIND(is_null, "PQgetisnull");
    FIND(clear, "PQclear");
    FIND(put_copy_data, "PQputCopyData");
    FIND(put_copy_end, "PQputCopyEnd");
    FIND(set_notice_processor, "PQsetNoticeProcessor");
    return 1;
}

static void ignore(void *argument, const char *message) {
    (void)argument;
    (void)message;
}

void tributary_libpq_silence(const struct tributary_libpq *functions, void *connection) {
    functions->set_notice_processor(connection, ignore, NULL);
}
