import Tributary
import TributaryJSON

/// Compares the outcomes of an event under the present version and under a shadow.
enum ShadowComparison {
    /// Fields of one event that count.
    private static let fields = 20
    /// Bytes of a key that is named. A longer key, and one with other characters than names have, may be data of a user.
    private static let keyBytes = 40

    /// The differences, each once.
    static func differences(of present: JSONObject?, from shadow: JSONObject?) -> [EventDifference] {
        switch (present, shadow) {
        case (nil, nil): []
        case (let present?, nil): [EventDifference(.dropped, event: name(of: present))]
        case (nil, let shadow?): [EventDifference(.made, event: name(of: shadow))]
        case (let present?, let shadow?): changes(of: present, in: shadow)
        }
    }

    /// The differences between the events that scripts made. Two events belong together when they have the same name and the
    /// same place among the events of that name.
    static func differences(of present: MadeEvents, from shadow: MadeEvents) -> [EventDifference] {
        guard present != shadow else { return [] }
        let (before, after) = (byName(present), byName(shadow))
        return Set(before.keys).union(after.keys).sorted().flatMap { name in
            let (one, other) = (before[name] ?? [], after[name] ?? [])
            return (0..<max(one.count, other.count)).flatMap { place in
                differences(
                    of: place < one.count ? one[place] : nil, from: place < other.count ? other[place] : nil)
            }
        }
    }

    /// The event of a shadow after native plugins have changed the present version's: their changes are made in it, too.
    static func replaying(from before: JSONObject, to after: JSONObject, on shadow: JSONObject) -> JSONObject {
        guard before != after else { return shadow }
        guard shadow != before else { return after }
        var result = shadow
        for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
            if let old = before[key]?.objectValue, let new = after[key]?.objectValue,
                let own = shadow[key]?.objectValue
            {
                result[key] = .object(replaying(from: old, to: new, on: own))
            } else {
                result[key] = after[key]
            }
        }
        return result
    }

    private static func changes(of present: JSONObject, in shadow: JSONObject) -> [EventDifference] {
        guard present != shadow else { return [] }
        let name = name(of: present)
        var paths: Set<String> = []
        for difference in JSONDifference.all(.object(present), .object(shadow)) where paths.count < fields {
            paths.insert(plain(difference.path))
        }
        return paths.sorted().map { EventDifference(.changed, event: name, field: $0) }
    }

    private static func name(of event: JSONObject) -> String {
        event["event"]?.stringValue ?? event["name"]?.stringValue ?? event["type"]?.stringValue ?? ""
    }

    private static func byName(_ made: MadeEvents) -> [String: [JSONObject]] {
        Dictionary(grouping: made.all.compactMap(\.objectValue)) { name(of: $0) }
    }

    /// The path up to the first key that may be data of a user.
    private static func plain(_ path: String) -> String {
        var keys: [Substring] = []
        for key in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard isName(key) else { return (keys + ["…"]).joined(separator: ".") }
            keys.append(key)
        }
        return path
    }

    private static func isName(_ key: Substring) -> Bool {
        key.utf8.count <= keyBytes
            && key.utf8.allSatisfy { byte in
                (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") || byte >= 0x80
                    || "0123456789_$- []".utf8.contains(byte)
            }
    }
}
