// The header of SQLite declares the functions of the extension only with these.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#include <string.h>

#include "CSQLiteChanges.h"

int tributary_recording_begin(void *connection, const char *const *tables, int count, void **session) {
    sqlite3_session *made = NULL;
    int result = sqlite3session_create(connection, "main", &made);
    // Changes are recorded in the order of the tables.
    for (int index = 0; result == SQLITE_OK && index < count; index += 1) {
        result = sqlite3session_attach(made, tables[index]);
    }
    if (result != SQLITE_OK) {
        sqlite3session_delete(made);
        made = NULL;
    }
    *session = made;
    return result;
}

int tributary_recording_changes(void *session, void **bytes, int *count) {
    return sqlite3session_changeset(session, count, bytes);
}

void tributary_recording_end(void *session) { sqlite3session_delete(session); }

void tributary_changes_free(void *bytes) { sqlite3_free(bytes); }

// The state that the callbacks of SQLite share.
struct application {
    const char *const *tables;
    int count;
    struct tributary_conflict *conflict;
};

static void note(struct application *application, enum tributary_conflict_kind kind, const char *table) {
    application->conflict->kind = kind;
    size_t room = sizeof(application->conflict->table) - 1;
    size_t length = table == NULL ? 0 : strlen(table);
    if (length > room) length = room;
    if (length > 0) memcpy(application->conflict->table, table, length);
    application->conflict->table[length] = 0;
}

static int is_wanted(void *context, const char *table) {
    struct application *application = context;
    for (int index = 0; index < application->count; index += 1) {
        if (strcmp(application->tables[index], table) == 0) return 1;
    }
    note(application, tributary_conflict_table, table);
    return 0;
}

static enum tributary_conflict_kind kind_of(int conflict) {
    switch (conflict) {
    case SQLITE_CHANGESET_DATA: return tributary_conflict_values;
    case SQLITE_CHANGESET_NOTFOUND: return tributary_conflict_missing;
    case SQLITE_CHANGESET_CONFLICT: return tributary_conflict_present;
    default: return tributary_conflict_constraint;
    }
}

static int on_conflict(void *context, int conflict, sqlite3_changeset_iter *change) {
    struct application *application = context;
    if (conflict == SQLITE_CHANGESET_FOREIGN_KEY) {
        // The rows that point nowhere may be in tables that are not shared. The caller removes them before the commit, and
        // the commit checks what is left.
        application->conflict->breaks_references = 1;
        return SQLITE_CHANGESET_OMIT;
    }
    const char *table = NULL;
    int columns = 0, operation = 0, is_indirect = 0;
    if (sqlite3changeset_op(change, &table, &columns, &operation, &is_indirect) != SQLITE_OK) table = NULL;
    note(application, kind_of(conflict), table);
    return SQLITE_CHANGESET_ABORT;
}

// Whether a table has the columns that a change names at its beginning, and the same key. SQLite leaves out changes of a table
// that does not, and says so nowhere.
static int fits(sqlite3 *connection, sqlite3_changeset_iter *change, const char *table, int columns, int *does) {
    unsigned char *key = NULL;
    sqlite3_stmt *statement = NULL;
    int result = sqlite3changeset_pk(change, &key, NULL);
    if (result == SQLITE_OK) {
        result = sqlite3_prepare_v2(
            connection, "SELECT pk FROM pragma_table_info(?1, 'main') ORDER BY cid", -1, &statement, NULL);
    }
    if (result == SQLITE_OK) result = sqlite3_bind_text(statement, 1, table, -1, SQLITE_TRANSIENT);
    int found = 0;
    *does = 1;
    while (result == SQLITE_OK && found < columns && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (sqlite3_column_int(statement, 0) != key[found]) *does = 0;
        found += 1;
        result = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    if (result == SQLITE_DONE) result = SQLITE_OK;
    if (found < columns) *does = 0;
    return result;
}

// Looks for changes that `sqlite3changeset_apply` would leave out.
static int check_tables(sqlite3 *connection, const void *bytes, int bytes_count, struct application *application) {
    sqlite3_changeset_iter *change = NULL;
    int result = sqlite3changeset_start(&change, bytes_count, (void *)bytes);
    if (result != SQLITE_OK) return result;
    char last[sizeof(application->conflict->table)] = "";
    while (application->conflict->kind == tributary_conflict_none && sqlite3changeset_next(change) == SQLITE_ROW) {
        const char *table = NULL;
        int columns = 0, operation = 0, is_indirect = 0, does = 1;
        result = sqlite3changeset_op(change, &table, &columns, &operation, &is_indirect);
        if (result != SQLITE_OK) break;
        // Changes of a table follow one another.
        if (strcmp(last, table) == 0 || !is_wanted(application, table)) continue;
        result = fits(connection, change, table, columns, &does);
        if (result != SQLITE_OK) break;
        if (!does) note(application, tributary_conflict_columns, table);
        strncpy(last, table, sizeof(last) - 1);
    }
    int end = sqlite3changeset_finalize(change);
    return result != SQLITE_OK ? result : end;
}

int tributary_changes_apply(
    void *connection, const void *bytes, int bytes_count, const char *const *tables, int count,
    struct tributary_conflict *conflict) {
    *conflict = (struct tributary_conflict){0};
    struct application application = {tables, count, conflict};
    int result = check_tables(connection, bytes, bytes_count, &application);
    if (result == SQLITE_OK && conflict->kind != tributary_conflict_none) return SQLITE_ABORT;
    if (result != SQLITE_OK) return result;
    // The library only reads the bytes, and declares them without `const`.
    result = sqlite3changeset_apply(connection, bytes_count, (void *)bytes, is_wanted, on_conflict, &application);
    if (result == SQLITE_OK && conflict->kind != tributary_conflict_none) return SQLITE_ABORT;
    return result;
}
