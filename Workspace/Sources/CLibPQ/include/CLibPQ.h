#ifndef TRIBUTARY_LIBPQ_H
#define TRIBUTARY_LIBPQ_H

// The functions of libpq, the client library of PostgreSQL, that the workspace calls. The library is looked for when the
// program runs, so building needs none of its files, and a program without it does everything else.
//
// Connections and results are `void *` here: only the library knows what they are. The names and values are those of its
// documentation, version 10 and later.

#include <stddef.h>

struct tributary_libpq {
    void *(*connect_start)(const char *const *keywords, const char *const *values, int expand_name);
    int (*connect_poll)(void *connection);
    int (*status)(const void *connection);
    char *(*error_message)(const void *connection);
    int (*socket)(const void *connection);
    void (*finish)(void *connection);
    int (*set_nonblocking)(void *connection, int argument);
    int (*send_query)(
        void *connection, const char *command, int count, const unsigned int *types, const char *const *values,
        const int *lengths, const int *formats, int result_format);
    int (*flush)(void *connection);
    int (*consume_input)(void *connection);
    int (*is_busy)(void *connection);
    void *(*get_result)(void *connection);
    int (*result_status)(const void *result);
    char *(*result_error_field)(const void *result, int code);
    int (*row_count)(const void *result);
    int (*column_count)(const void *result);
    char *(*value)(const void *result, int row, int column);
    int (*is_null)(const void *result, int row, int column);
    void (*clear)(void *result);
    int (*put_copy_data)(void *connection, const char *bytes, int count);
    int (*put_copy_end)(void *connection, const char *error);
    void *(*set_notice_processor)(void *connection, void (*processor)(void *, const char *), void *argument);
};

enum tributary_libpq_value {
    tributary_libpq_connection_ok = 0,
    tributary_libpq_polling_failed = 0,
    tributary_libpq_polling_reading = 1,
    tributary_libpq_polling_writing = 2,
    tributary_libpq_polling_ok = 3,
    tributary_libpq_command_ok = 1,
    tributary_libpq_tuples_ok = 2,
    tributary_libpq_copy_in = 4,
    tributary_libpq_field_state = 'C',
    tributary_libpq_field_message = 'M',
    tributary_libpq_field_detail = 'D',
};

/// Loads the library and finds its functions.
/// @return 1, or 0 when there is no such library or one of the functions is missing.
int tributary_libpq_load(struct tributary_libpq *functions);

/// Keeps notices of the server from the program's output.
void tributary_libpq_silence(const struct tributary_libpq *functions, void *connection);

#endif
