// This target has nothing but its header; the package manager wants a file to compile.
