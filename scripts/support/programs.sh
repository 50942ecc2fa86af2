# Sourced by scripts that run a program of ours or one in Python.

# The system's Python: only its standard library is needed.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

# Builds a product, in silence unless it fails, and prints where it is.
#   program=$(built PRODUCT [OPTIONS OF SWIFT BUILD...])
# Only an assignment ends the script when the build fails; within the arguments of a command the failure is lost.
# With TRIBUTARY_BUILT a product with usual options is taken as it is, because scripts/test has just built it.
built() {
    if [[ -n ${TRIBUTARY_BUILT-} && $# -eq 3 && $2 == --package-path && -x $3/.build/debug/$1 ]]; then
        echo "$3/.build/debug/$1"
        return
    fi
    local build=(swift build "${@:2}" --product "$1") log
    if ! log=$("${build[@]}" 2>&1); then
        echo "$log" >&2
        exit 70
    fi
    echo "$("${build[@]}" --show-bin-path)/$1"
}
