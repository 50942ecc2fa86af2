import TributaryJSON

/// A piece of work of a bundle's code, precise enough to recognise it.
///
/// Only a fingerprint is stored. It is written for each event, and the mark on disk then says nothing about the user.
struct ScriptWork: Equatable {
    let fingerprint: UInt64

    /// Evaluating the bundle.
    static let load = ScriptWork("load")
    static let update = ScriptWork("update")
    static let reset = ScriptWork("reset")
    static let flush = ScriptWork("flush")

    /// Processing an event, at any stage.
    static func event(_ event: JSONObject) -> ScriptWork {
        ScriptWork("event ", event["messageId"]?.stringValue ?? "")
    }

    /// Processing a signal. Its index and time are left out, so that the same signal is recognised at the next launch.
    static func signal(_ signal: JSON) -> ScriptWork {
        var name = signal["type"]?.stringValue ?? ""
        for (_, value) in signal["data"]?.objectValue ?? JSONObject() {
            name += value.stringValue ?? value["messageId"]?.stringValue ?? ""
        }
        return ScriptWork("signal ", name)
    }

    /// FNV-1a of the name: short, and sufficient because a collision gives a script no advantage.
    private init(_ kind: StaticString, _ name: String = "") {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        kind.withUTF8Buffer { bytes in for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        fingerprint = hash
    }

    /// Reads eight bytes.
    init(bytes: ArraySlice<UInt8>) {
        fingerprint = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads what `json` wrote; nil for anything else.
    init?(_ json: JSON?) {
        guard let text = json?.stringValue, let value = UInt64(text, radix: 16) else { return nil }
        fingerprint = value
    }

    /// Little-endian.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: fingerprint >> (8 * $0)) } }

    var json: JSON { .string(String(fingerprint, radix: 16)) }
}
