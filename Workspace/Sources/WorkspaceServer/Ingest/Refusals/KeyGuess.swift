import Foundation
import TributaryJSON
import WorkspaceCore

/// Compares an unknown write key with the known ones, and guesses the mistake.
enum KeyGuess {
    /// A mistake in copying or typing a key.
    enum Slip: Equatable { case exchanged, changed, missing, added, letterCase, cut, surrounded }

    /// A guess for an operator; nil when no key is like it.
    /// - Parameter key: nil when the client sent none.
    static func sentence(_ key: String?, _ sources: [Source]) -> String? {
        guard let key, !key.isEmpty else { return "the client was given no write key" }
        for source in sources {
            for known in source.keys where known.key == key {
                guard let revokedAt = known.revokedAt else { return "the source \(source.name) has it now" }
                return
                    "a key of source \(source.name), revoked on \(ISO8601.string(milliseconds: revokedAt).prefix(10))"
            }
        }
        for source in sources {
            for known in source.keys {
                guard let slip = slip(from: known.key, to: key) else { continue }
                let revoked = known.isValid ? "" : ", and that key was revoked"
                return "a key of source \(source.name) \(words(slip))\(revoked)"
            }
        }
        return isPlaceholder(key) ? "the text of an example, in the place of which a key belongs" : nil
    }

    /// The key of a request with a wrong path, as far as it is known; nil for a request without a key.
    static func ofWrongPath(_ key: String, _ sources: [Source]) -> String? {
        guard !key.isEmpty else { return nil }
        let source = sources.first { $0.keys.contains { $0.key == key && $0.isValid } }
        if let source { return "the key is that of source \(source.name)" }
        return sentence(key, sources).map { "the key is not known here, probably \($0)" } ?? "the key is not known here"
    }

    private static func words(_ slip: Slip) -> String {
        switch slip {
        case .exchanged: "with two characters exchanged"
        case .changed: "with one wrong character"
        case .missing: "with one character missing"
        case .added: "with one character too many"
        case .letterCase: "with other capital letters"
        case .cut: "of which the end is missing"
        case .surrounded: "with something around it"
        }
    }

    /// How one key became the other by a single slip; nil when it did not.
    static func slip(from known: String, to sent: String) -> Slip? {
        let (known, sent) = (Array(known.utf8), Array(sent.utf8))
        // Of a short key, every other short one is only a slip away.
        guard known.count >= 4, known != sent else { return nil }
        if String(decoding: known, as: UTF8.self).lowercased() == String(decoding: sent, as: UTF8.self).lowercased() {
            return .letterCase
        }
        let start = zip(known, sent).prefix { $0 == $1 }.count
        let end = zip(known.dropFirst(start).reversed(), sent.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let (lost, new) = (known.count - start - end, sent.count - start - end)
        switch (lost, new) {
        case (1, 1): return .changed
        case (1, 0): return .missing
        case (0, 1): return .added
        case (2, 2) where known[start] == sent[start + 1] && known[start + 1] == sent[start]: return .exchanged
        default: break
        }
        if sent.count >= max(4, known.count / 2), known.starts(with: sent) { return .cut }
        let holds = sent.count > known.count && sent.indices.contains { sent[$0...].starts(with: known) }
        return holds ? .surrounded : nil
    }

    private static func isPlaceholder(_ key: String) -> Bool {
        let letters = key.lowercased().filter(\.isLetter)
        return ["writekey", "yourwritekey", "key", "yourkey", "insertwritekeyhere", "yourwritekeyhere", "xxx"].contains(
            letters)
            || key.hasPrefix("<") || key.hasPrefix("$") || key.hasPrefix("{")
    }
}
