/// An action that the app allows to scripts from the workspace: see `LivePlugins.init(allow:)`.
///
/// ```swift
/// LivePlugins(allow: [.rename, .drop("Debug*"), .read("properties.*"), .emit("First*")])
/// ```
///
/// In the name of an event, `*` matches any characters. A member of an event has a path, such as `properties.price` or
/// `context.device`, which includes everything inside the member. At the end of a path, `*` matches each member inside;
/// between two dots it matches one member. A list is one value: no path leads into it.
public struct ScriptPermission: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case rename(NamePattern)
        case drop(NamePattern)
        case emit(NamePattern)
        case read(MemberPath)
        case change(MemberPath)
        case plain(Plain)
    }

    /// Permissions without a pattern, by their names.
    enum Plain: String, Sendable, Hashable, CaseIterable {
        case identify, group, alias, reset, readUser, readSignals, store, otherSources
    }

    let kind: Kind

    /// To change the names of track and screen events.
    public static let rename = rename("*")

    /// To change the names of track and screen events with such a name.
    public static func rename(_ name: String) -> Self { Self(kind: .rename(NamePattern(name))) }

    /// To drop events with such a name. An event without a name, as that of `identify`, is meant by its type.
    public static func drop(_ name: String = "*") -> Self { Self(kind: .drop(NamePattern(name))) }

    /// To track events and screens with such a name.
    public static func emit(_ name: String = "*") -> Self { Self(kind: .emit(NamePattern(name))) }

    /// To see a member of events. Scripts always see the type, name, id and times of an event, and whether a script has
    /// made it.
    public static func read(_ path: String = "*") -> Self { Self(kind: .read(MemberPath(path))) }

    /// To see, change, add and remove a member of events. The type, the id and the origin of an event never change.
    public static func change(_ path: String = "*") -> Self { Self(kind: .change(MemberPath(path))) }

    /// To call `analytics.identify`, which changes the user of the client.
    public static let identify = Self(kind: .plain(.identify))

    /// To call `analytics.group`.
    public static let group = Self(kind: .plain(.group))

    /// To call `analytics.alias`, which changes the user of the client.
    public static let alias = Self(kind: .plain(.alias))

    /// To call `analytics.reset`, which forgets the user of the client.
    public static let reset = Self(kind: .plain(.reset))

    /// To read `analytics.traits`, `analytics.userId` and `analytics.anonymousId`.
    public static let readUser = Self(kind: .plain(.readUser))

    /// To get signals.
    public static let readSignals = Self(kind: .plain(.readSignals))

    /// To store values on the device, and to read them again.
    public static let store = Self(kind: .plain(.store))

    /// To send events to sources with other write keys: `new Analytics(writeKey)`.
    public static let otherSources = Self(kind: .plain(.otherSources))
}

extension ScriptPermission: CustomStringConvertible {
    /// The permission as it is written for commands and in reports: `rename`, `drop Debug*`, `read properties.*`.
    public var description: String {
        switch kind {
        case .rename(let name): name.text == "*" ? "rename" : "rename \(name.text)"
        case .drop(let name): "drop \(name.text)"
        case .emit(let name): "emit \(name.text)"
        case .read(let path): "read \(path.text)"
        case .change(let path): "change \(path.text)"
        case .plain(let plain): plain.rawValue
        }
    }

    /// Reads a permission that was written as `description` writes it; nil when there is no such permission.
    public init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let name = parts.first else { return nil }
        let pattern = parts.count > 1 ? parts[1] : "*"
        switch name {
        case "rename": self = .rename(pattern)
        case "drop": self = .drop(pattern)
        case "emit": self = .emit(pattern)
        case "read": self = .read(pattern)
        case "change": self = .change(pattern)
        default:
            guard parts.count == 1, let plain = Plain(rawValue: name) else { return nil }
            self.init(kind: .plain(plain))
        }
    }
}

/// A pattern for names of events. `*` matches any characters, also none.
struct NamePattern: Sendable, Hashable {
    let text: String
    private let parts: [[UInt8]]

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: "*", omittingEmptySubsequences: false).map { Array($0.utf8) }
    }

    static func == (one: Self, other: Self) -> Bool { one.text == other.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Compares bytes, so that a pattern means the same everywhere.
    func matches(_ name: String) -> Bool {
        var rest = Array(name.utf8)[...]
        guard let first = parts.first, let last = parts.last, rest.starts(with: first) else { return false }
        guard parts.count > 1 else { return rest.count == first.count }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard
                let place = rest.indices.first(where: { rest[$0...].starts(with: part) })
                    ?? (part.isEmpty ? rest.startIndex : nil)
            else { return false }
            rest = rest[place...].dropFirst(part.count)
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
}

/// The path of a member of an event, with `*` for any member.
struct MemberPath: Sendable, Hashable {
    let text: String
    private let steps: [String]

    init(_ text: String) {
        self.text = text
        steps = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether the path means this member, or a member that it is inside of.
    func includes(_ member: [String]) -> Bool {
        member.count >= steps.count && zip(steps, member).allSatisfy { $0 == "*" || $0 == $1 }
    }

    /// Whether the path may mean a member inside of this one.
    func leadsInto(_ member: [String]) -> Bool {
        member.count < steps.count && zip(steps, member).allSatisfy { $0 == "*" || $0 == $1 }
    }
}
