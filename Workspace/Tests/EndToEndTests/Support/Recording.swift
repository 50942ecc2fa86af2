import Foundation
import TributaryJSON

/// Recorded events whose message ids name their fate: plugins drop `ping`, and filters drop `hover`.
struct Recording {
    private static let kinds = [
        ("view", "Product Viewed"), ("ping", "Debug Ping"), ("hover", "Product Hovered"), ("add", "Product Added"),
    ]

    let count: Int

    static func isDropped(_ messageId: String) -> Bool {
        messageId.hasPrefix("ping-") || messageId.hasPrefix("hover-")
    }

    /// - Returns: the path of the file.
    func write(to scene: Scene) throws -> String {
        let path = scene.path("events.ndjson")
        let lines = (0..<count).map { event($0).encoded() + [UInt8(ascii: "\n")] }
        try Data(lines.joined()).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func event(_ number: Int) -> JSON {
        let (kind, name) = Self.kinds[number % Self.kinds.count]
        return [
            "type": "track", "event": .string(name), "messageId": .string("\(kind)-\(number)"), "anonymousId": "a",
            "timestamp": "2026-11-21T08:00:00.000Z", "properties": ["product_did": "p-1"],
        ]
    }
}
