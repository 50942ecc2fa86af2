// The package manager wants a header of each target in C.
