/// Which entries of the audit log are wanted.
package struct AuditQuery: Sendable {
    /// Older than this entry.
    package var before: Int64?
    package var writeKey: String?
    package var way: Administrator.Way?
    /// The name of a token.
    package var token: String?
    package var action: String?
    /// Milliseconds since 1970.
    package var since: Int64?
    package var until: Int64?
    /// Each has to be in the entry; the case of ASCII letters makes no difference.
    package var words: [String] = []
    package var limit = 50

    package init() {}
}

extension Limits {
    /// Words of a search in the audit log, and entries that one request looks at.
    package static let auditWords = 8
    static let auditEntries = 20_000
}
