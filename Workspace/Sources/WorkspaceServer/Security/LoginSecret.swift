import WorkspaceCore

/// The secret of a login on the page: the time at which the login was made, and random text.
///
/// Only the digest of the whole text is stored. A changed time gives another digest, which is not stored, so such a
/// secret is not valid and the time needs no place in the database.
struct LoginSecret: Equatable {
    let text: String
    /// Milliseconds since 1970.
    let madeAt: Int64

    init(random bytes: [UInt8], madeAt: Int64) {
        self.madeAt = madeAt
        text = "\(madeAt).\(Secret.text(bytes))"
    }

    /// A secret that a browser sent; nil for one without a time.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let madeAt = Int64(parts[0]) else { return nil }
        (self.text, self.madeAt) = (text, madeAt)
    }
}
