package import Crypto
import Foundation
package import TributaryJSON

/// Replaces personal data in stored events and signals, so that scripts still find a value of the same type in its place.
///
/// Personal is what `PersonalDataMask` hides. The same value always gets the same replacement, so a person stays the same in
/// all records. Each file has a key of its own that is not kept, so a replacement leads back to no person.
package struct PersonalDataReplacement: Sendable {
    private let marked: Set<String>
    private let key: SymmetricKey
    /// Milliseconds by which all times of records are moved.
    private let moved: Int64

    /// - Parameters:
    ///   - marked: the names of properties that operators marked.
    ///   - key: a key by chance, which is not kept.
    package init(marked: Set<String>, key: SymmetricKey) {
        self.marked = Set(marked.map(PersonalDataMask.plain))
        self.key = key
        let digest = Self.number("time", key)
        // At most a year into the past, so that no time is one of the future.
        moved = -Int64(digest % (365 * 86_400_000))
    }

    private static let times: Set<String> = ["timestamp", "originalTimestamp", "sentAt", "receivedAt"]
    /// Members of an event that scripts read and that are searched like properties.
    private static let searched: Set<String> = ["properties", "integrations", "data"]

    /// An event or a signal without personal data.
    package func replaced(_ record: JSON, isSignal: Bool = false) -> JSON {
        guard let object = record.objectValue else { return .null }
        var shown = JSONObject()
        for (name, value) in object {
            if PersonalDataMask.ids.contains(name) || name == "messageId" {
                shown[name] = personal(value)
            } else if name == "traits" {
                shown[name] = personal(value)
            } else if name == "context" {
                shown[name] = context(value)
            } else if Self.searched.contains(name) {
                shown[name] = searched(value)
            } else if Self.times.contains(name) {
                shown[name] = time(value)
            } else if PersonalDataMask.members.contains(name) || isSignal && name == "index" {
                shown[name] = value.objectValue == nil && value.elements == nil ? text(value) : nil
            }
        }
        return .object(shown)
    }

    private func context(_ value: JSON) -> JSON? {
        guard let context = value.objectValue else { return nil }
        var shown = JSONObject()
        for (name, value) in context {
            if name == "traits" { shown[name] = personal(value) }
            guard let members = PersonalDataMask.context[name] else { continue }
            guard let object = value.objectValue else {
                guard members.isEmpty, value.elements == nil else { continue }
                shown[name] = name == "groupId" ? personal(value) : text(value)
                continue
            }
            var kept = JSONObject()
            for (key, value) in object where members.contains(key) && value.objectValue == nil && value.elements == nil
            {
                let isMarked = marked.contains(PersonalDataMask.plain(key))
                // A version such as 1.2.3.4 reads as an address.
                kept[key] = isMarked ? personal(value) : key == "version" ? value : text(value)
            }
            shown[name] = .object(kept)
        }
        return .object(shown)
    }

    /// A value in which the members with the name of something personal are replaced.
    private func searched(_ value: JSON) -> JSON {
        switch value {
        case .object(let object):
            var shown = JSONObject()
            for (name, value) in object where PersonalDataMask.isPlain(name) {
                let plain = PersonalDataMask.plain(name)
                let isPersonal = PersonalDataMask.names.contains(plain) || marked.contains(plain)
                shown[name] = isPersonal ? personal(value) : searched(value)
            }
            return .object(shown)
        case .array(let elements): return .array(elements.map(searched))
        default: return text(value)
        }
    }

    /// A value in which a text with an address of a person is replaced, and the query of an address of the web is left out.
    private func text(_ value: JSON) -> JSON {
        let checked = PersonalDataMask.checked(value)
        return checked == .string(PersonalDataMask.replacement) ? personal(value) : checked
    }

    /// A value of the same type in place of a personal one. Truth values and empty ones say too little of a person.
    private func personal(_ value: JSON) -> JSON {
        switch value {
        case .null, .bool: return value
        case .string(let text):
            if text.isEmpty { return value }
            let digest = String(Self.number(text, key), radix: 16)
            return .string(PersonalDataMask.hasMail(text) ? "person-\(digest)@example.com" : "person-\(digest)")
        case .number(let number):
            let digits = max(1, min(15, number.description.count { $0.isNumber }))
            let bound = (0..<digits).reduce(UInt64(1)) { bound, _ in bound * 10 }
            return .number(JSONNumber(Self.number(number.description, key) % bound))
        case .array(let elements): return .array(elements.map(personal))
        case .object(let object):
            var shown = JSONObject()
            for (name, value) in object where PersonalDataMask.isPlain(name) { shown[name] = personal(value) }
            return .object(shown)
        }
    }

    private func time(_ value: JSON) -> JSON? {
        guard let milliseconds = value.stringValue.flatMap({ ISO8601.milliseconds($0) }) else { return nil }
        return .string(ISO8601.string(milliseconds: milliseconds + moved))
    }

    private static func number(_ text: String, _ key: SymmetricKey) -> UInt64 {
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
        return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
