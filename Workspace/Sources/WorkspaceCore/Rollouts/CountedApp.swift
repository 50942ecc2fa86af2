/// The version of an app that counted events for health reports.
package enum CountedApp: Sendable, Hashable, Comparable {
    /// Empty for an app without a version.
    case version(String)
    /// Several versions counted, or the report does not say which one.
    case unknown
    /// Versions that are not kept, because there are too many.
    case others

    private static let versionPrefix = "app "

    /// How it is stored among the sums of an hour. No version of live plugins or filters is called so.
    package var stored: String {
        switch self {
        case .version(let version): Self.versionPrefix + version
        case .unknown: "apps unknown"
        case .others: "apps other"
        }
    }

    /// Nil for a name of something else.
    package init?(stored name: String) {
        switch name {
        case Self.unknown.stored: self = .unknown
        case Self.others.stored: self = .others
        default:
            guard name.hasPrefix(Self.versionPrefix) else { return nil }
            self = .version(String(name.dropFirst(Self.versionPrefix.count)))
        }
    }

    /// The version for people and programs; nil for an app without a version and for versions that are not known.
    package var version: String? {
        if case .version(let version) = self, !version.isEmpty { version } else { nil }
    }

    /// `version`, `none` for an app without one, `unknown` or `others`.
    package var kind: String {
        switch self {
        case .version(let version): version.isEmpty ? "none" : "version"
        case .unknown: "unknown"
        case .others: "others"
        }
    }

    /// Newer versions first, as their numbers say; then apps without a version, unknown versions and the others.
    package static func < (left: Self, right: Self) -> Bool { left.order.lexicographicallyPrecedes(right.order) }

    private var order: [Int64] {
        switch self {
        case .version(let version) where !version.isEmpty:
            // A text that is no number counts as 0, and versions with equal numbers differ by their bytes.
            [0] + version.split(separator: ".").prefix(4).map { -Int64(UInt32($0) ?? 0) }
                + version.utf8.map { Int64($0) }
        case .version: [1]
        case .unknown: [2]
        case .others: [3]
        }
    }
}
