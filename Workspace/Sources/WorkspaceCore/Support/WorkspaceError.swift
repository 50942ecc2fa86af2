/// The reason why a workspace could not start or go on.
public struct WorkspaceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The family of a failure: bounded, so it can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        /// Another process listens on the port.
        public static let portInUse = Reason(description: "port_in_use")
        /// The address cannot be listened on.
        public static let address = Reason(description: "address")
        /// The data folder cannot be made, read or written.
        public static let dataFolder = Reason(description: "data_folder")
        /// Another workspace has the data folder open.
        public static let dataFolderInUse = Reason(description: "data_folder_in_use")
        /// A newer version wrote the data folder.
        public static let newerDataFolder = Reason(description: "newer_data_folder")
        /// A version before the first one that was published wrote the data folder.
        public static let olderDataFolder = Reason(description: "older_data_folder")
        /// An admin token is too short, too long, or has characters that are not allowed.
        public static let adminToken = Reason(description: "admin_token")
        /// The certificate or the key for https cannot be used.
        public static let tls = Reason(description: "tls")
        /// The database of countries cannot be used.
        public static let countryDatabase = Reason(description: "country_database")
        /// The address for messages to operators is none.
        public static let noticeURL = Reason(description: "notice_url")
        /// An engine of a cluster does not answer, or is not set up as it has to be.
        public static let cluster = Reason(description: "cluster")
        /// The login with a provider of OpenID Connect cannot be set up as it is configured.
        public static let openID = Reason(description: "open_id")
        /// A write key has characters that are not allowed.
        public static let writeKey = Reason(description: "write_key")
    }

    /// The family of the failure.
    public let reason: Reason
    /// The failure as a sentence.
    public let description: String

    package init(_ reason: Reason, _ description: String) { (self.reason, self.description) = (reason, description) }

    /// The refusal of a database that another version wrote; nil when this version reads it, or when it has no tables yet.
    package static func otherFormat(_ found: Int, insteadOf readable: ClosedRange<Int>, in database: String)
        -> WorkspaceError?
    {
        let formats =
            readable.count == 1
            ? "only format \(readable.upperBound)" : "formats \(readable.lowerBound) to \(readable.upperBound)"
        let both = "the database \(database) has format \(found); this version reads \(formats)"
        if found > readable.upperBound { return WorkspaceError(.newerDataFolder, both) }
        guard found > 0, found < readable.lowerBound else { return nil }
        return WorkspaceError(
            .olderDataFolder,
            "\(both). Write its events to a file with `tributary export` of the version that made it, and send them to a "
                + "new data folder with `tributary import`")
    }
}
