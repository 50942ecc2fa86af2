/// Checks write keys.
package enum WriteKey {
    /// The refusal of a request with a key that no source has.
    package static func unknown(_ key: String) -> Refusal {
        var error = Refusal(.unauthorized, "the write key is not known here")
        error.refusedKey = key
        return error
    }

    package static let rule =
        "a write key has 1 to \(Limits.writeKeyLength) characters: letters, digits and -._~, not only dots"

    /// Letters, digits and `-._~`: characters that need no escaping in a URL. `.` and `..` are not keys, because a URL
    /// reads them as folders.
    package static func isValid(_ key: String) -> Bool {
        (1...Limits.writeKeyLength).contains(key.utf8.count) && !key.allSatisfy { $0 == "." }
            && key.utf8.allSatisfy { $0.isAlphanumeric || "-._~".utf8.contains($0) }
    }
}
