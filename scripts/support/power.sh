# Sourced by scripts/power-test, scripts/fault-sweep and scripts/golden.

# Builds a product of a package, in silence unless it fails, and prints where it is.
built() {
    local build=(swift build --package-path "$1" --product "$2") log
    if ! log=$("${build[@]}" 2>&1); then
        echo "$log" >&2
        exit 70
    fi
    echo "$("${build[@]}" --show-bin-path)/$2"
}

if [[ $(uname -s) != Linux ]]; then
    echo "$(basename "$0"): the library that is put between a program and the system is for Linux" >&2
    exit 69
fi
# Only the standard library is needed.
python=/usr/bin/python3
[[ -x $python ]] || python=python3
