#ifndef TRIBUTARY_SQLITE_CHANGES_H
#define TRIBUTARY_SQLITE_CHANGES_H

// The workspace needs these parts of SQLite's session extension: it records what a transaction changes in some tables, and
// applies such changes to another database with the same tables.
//
// The functions take a connection as `void *`, so this header does not include sqlite3.h: its types would be others than
// those of the module with which the workspace reaches SQLite. A SQLite that was built without the extension
// (SQLITE_ENABLE_SESSION and SQLITE_ENABLE_PREUPDATE_HOOK) lacks the symbols: then a program does not link. The libraries of
// Debian and Ubuntu have them.

#include <stddef.h>

/// Why changes could not be applied.
enum tributary_conflict_kind {
    tributary_conflict_none = 0,
    /// A row that is changed or removed has other values.
    tributary_conflict_values = 1,
    /// A row that is changed or removed is not there.
    tributary_conflict_missing = 2,
    /// A row that is added is there.
    tributary_conflict_present = 3,
    /// A change breaks a constraint of a table.
    tributary_conflict_constraint = 4,
    /// The changes concern a table that is not shared.
    tributary_conflict_table = 5,
    /// The changes name columns that a table does not have, or another key.
    tributary_conflict_columns = 6,
};

/// The result of applying changes.
struct tributary_conflict {
    enum tributary_conflict_kind kind;
    /// The table; empty when none is known.
    char table[64];
    /// Whether rows point at rows that are gone: the commit fails unless these rows go too.
    int breaks_references;
};

/// Begins to record what is changed in tables.
/// @param session gets the recording; `tributary_recording_end` ends it.
/// @return 0, or an error code of SQLite.
int tributary_recording_begin(void *connection, const char *const *tables, int count, void **session);

/// The changes so far, which `tributary_changes_free` frees.
int tributary_recording_changes(void *session, void **bytes, int *count);

void tributary_recording_end(void *session);

void tributary_changes_free(void *bytes);

/// Applies changes. Call it in a transaction: at an error or a conflict nothing was changed.
/// @param tables the tables that changes may concern.
/// @return 0, or an error code of SQLite; `conflict` says more when its kind is not `none`.
int tributary_changes_apply(
    void *connection, const void *bytes, int bytes_count, const char *const *tables, int count,
    struct tributary_conflict *conflict);

#endif
