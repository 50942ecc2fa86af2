#ifndef TRIBUTARY_FILES_H
#define TRIBUTARY_FILES_H

/// Opens a file like `open`; one that comes into being can be read as soon as the device was unlocked for the first time
/// after its start, also while it is locked later. Where files have no such class it is the same as `open`.
///
/// In C, because `open_dprotected_np` takes a variable number of arguments, which Swift cannot call.
int tributary_open(const char *path, int flags, unsigned int mode);

#endif
