package import Crypto
import Foundation
package import TributaryJSON

/// Takes the personal data out of events, for a token or a login that does not see it.
///
/// Of an event only the members stay that are known to say nothing of a person. Ids become digests, so that the events of a
/// person can still be counted. Traits, addresses and properties with the name of something personal are left out, and so
/// are properties that an operator marked (`SourcePolicy.personal`). A text with a mail address or an IP address is replaced.
package struct PersonalDataMask: Sendable {
    /// The names of properties that operators marked, in small letters.
    private let marked: Set<String>
    private let secret: SymmetricKey

    /// The text in place of one that has an address.
    package static let replacement = "(hidden)"

    /// - Parameter secret: a secret of the workspace, so that the digest of a known id cannot be computed elsewhere.
    package init(marked: Set<String>, secret: SymmetricKey) {
        self.marked = Set(marked.map(Self.plain))
        self.secret = SymmetricKey(
            data: HMAC<SHA256>.authenticationCode(for: Data("tributary personal data".utf8), using: secret))
    }

    /// Members of an event that stay as they are, but for addresses in texts.
    static let members: Set<String> = [
        "messageId", "type", "event", "name", "category", "timestamp", "originalTimestamp", "sentAt", "receivedAt",
        "channel", "version",
    ]
    /// Members of a row of a list that stay, besides those.
    private static let rowMembers: Set<String> = ["sequence", "writeKey", "storedAt", "trackedAt"]
    static let ids: Set<String> = ["userId", "anonymousId", "previousId", "groupId"]
    /// The part of the context that stays: for each member its members, or none for a member with a value.
    static let context: [String: Set<String>] = [
        "app": ["name", "version", "build", "namespace"], "library": ["name", "version"],
        "device": ["type", "manufacturer", "model"], "os": ["name", "version"],
        "screen": ["width", "height", "density"], "network": ["wifi", "cellular", "bluetooth", "carrier"],
        "campaign": ["name", "source", "medium", "term", "content"], "location": ["country"],
        "locale": [], "timezone": [], "userAgent": [], "groupId": [],
        "page": ["path", "url", "title", "referrer"],
    ]
    /// Names of properties that say something of a person, without signs and in small letters.
    static let names: Set<String> = [
        "email", "mail", "emailaddress", "mailaddress", "phone", "phonenumber", "telephone", "tel", "mobile", "fax",
        "firstname", "lastname", "fullname", "givenname", "familyname", "middlename", "surname", "nickname", "username",
        "customername", "personname", "contactname", "recipient", "recipientname", "user", "userid", "login",
        "loginname", "displayname", "customer", "customerid", "person", "contact", "profile", "traits", "birthday",
        "birthdate", "dateofbirth", "dob", "age", "gender", "sex", "address", "addressline", "street",
        "streetaddress", "billing", "billingaddress", "shipping", "shippingaddress", "zip", "zipcode", "postalcode",
        "postcode", "ip", "ipaddress", "clientip", "ssn", "socialsecuritynumber", "iban", "passport", "taxid",
        "latitude", "longitude", "lat", "lon", "lng", "coordinates", "geo", "avatar", "photo", "picture",
        "anonymousid", "previousid", "deviceid", "advertisingid", "idfa", "idfv", "gaid", "adid", "devicetoken",
        "token", "password", "secret", "sessionid", "search", "query", "message", "comment", "signature", "cardnumber",
    ]

    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private func isPersonal(_ name: String) -> Bool {
        let plain = Self.plain(name)
        return Self.names.contains(plain) || marked.contains(plain)
    }

    /// Whether a path leads to something that is left out.
    package func hides(_ path: JSONPath) -> Bool {
        guard let first = path.keys.first else { return true }
        let rest = path.keys.dropFirst()
        switch first {
        case "properties": return rest.contains(where: isPersonal)
        case "context":
            guard let member = rest.first, let members = Self.context[member] else { return true }
            return rest.dropFirst().first.map { !members.contains($0) } ?? false
        default: return !Self.members.contains(first) && !Self.ids.contains(first)
        }
    }

    /// A row of the list of events. A row of another kind has nothing left.
    package func hidden(row text: [UInt8]) -> [UInt8] {
        guard case .object(let row)? = try? JSON.parse(text) else { return Array("{}".utf8) }
        var shown = JSONObject()
        for (key, value) in row {
            if key == "event", case .object(let event) = value {
                shown[key] = .object(hidden(event: event))
            } else if Self.rowMembers.contains(key) {
                shown[key] = value
            } else {
                shown[key] = member(key, value)
            }
        }
        return JSON.object(shown).encoded()
    }

    /// Counts and names, without the addresses of people.
    package func hidden(counts: JSON) -> JSON {
        switch counts {
        case .object(let object):
            var shown = JSONObject()
            for (key, value) in object { shown[Self.isPlain(key) ? key : Self.replacement] = hidden(counts: value) }
            return .object(shown)
        case .array(let elements): return .array(elements.map(hidden(counts:)))
        default: return Self.checked(counts)
        }
    }

    /// An event as a client sent it.
    package func hidden(event text: [UInt8]) -> [UInt8] {
        guard case .object(let event)? = try? JSON.parse(text) else { return Array("{}".utf8) }
        return JSON.object(hidden(event: event)).encoded()
    }

    private func hidden(event: JSONObject) -> JSONObject {
        var shown = JSONObject()
        for (key, value) in event {
            switch key {
            case "properties": shown[key] = property(value)
            case "context": shown[key] = context(value)
            default: shown[key] = member(key, value)
            }
        }
        return shown
    }

    /// A member with a value of its own; nil for one that is left out.
    private func member(_ key: String, _ value: JSON) -> JSON? {
        if Self.ids.contains(key) { return id(value) }
        guard Self.members.contains(key) else { return nil }
        switch value {
        case .object, .array: return nil
        default: return Self.checked(value)
        }
    }

    private func id(_ value: JSON) -> JSON? {
        switch value {
        case .null: return .null
        case .string(let text): return .string(digest(text))
        default: return .string(digest(String(decoding: value.encoded(), as: UTF8.self)))
        }
    }

    /// The text in place of an id. The same id always has the same one.
    package func digest(_ id: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(id.utf8), using: secret)
        return "hidden-" + Data(code.prefix(8)).hexadecimal
    }

    private func context(_ value: JSON) -> JSON? {
        guard case .object(let context) = value else { return nil }
        var shown = JSONObject()
        for (key, value) in context {
            guard let members = Self.context[key] else { continue }
            switch value {
            case .object(let object):
                var kept = JSONObject()
                for (name, value) in object where members.contains(name) && !marked.contains(Self.plain(name)) {
                    switch value {
                    case .object, .array: continue
                    default: kept[name] = key == "page" ? Self.checked(value) : Self.withoutMail(value)
                    }
                }
                shown[key] = .object(kept)
            case .array: continue
            default:
                guard members.isEmpty else { continue }
                shown[key] = key == "groupId" ? id(value) : Self.checked(value)
            }
        }
        return .object(shown)
    }

    private func property(_ value: JSON) -> JSON {
        switch value {
        case .object(let object):
            var shown = JSONObject()
            for (key, value) in object where !isPersonal(key) && Self.isPlain(key) { shown[key] = property(value) }
            return .object(shown)
        case .array(let elements): return .array(elements.map(property))
        default: return Self.checked(value)
        }
    }

    /// Whether a name has no address in it, as in an object with mail addresses as names.
    static func isPlain(_ name: String) -> Bool { checked(.string(name)) == .string(name) }

    /// A value in which a text with an address of a person is replaced, and the query of an address of the web is left out.
    static func checked(_ value: JSON) -> JSON {
        guard case .string(let text) = value else { return value }
        guard !hasMail(text), !hasAddress(text) else { return .string(replacement) }
        guard text.contains("://"), let end = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return value }
        return .string(String(text[..<end]))
    }

    /// A version such as 1.2.3.4 reads as an address.
    private static func withoutMail(_ value: JSON) -> JSON {
        guard case .string(let text) = value, hasMail(text) else { return value }
        return .string(replacement)
    }

    static func hasMail(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.contains(UInt8(ascii: "@")) || text.lowercased().contains("%40")
    }

    /// Whether a text has an IP address in it, also one with a port. More is taken for one than is one: a version of four
    /// numbers, two colons in a row.
    static func hasAddress(_ text: String) -> Bool {
        let numbers = text.utf8.split { !isDigit($0) && $0 != UInt8(ascii: ".") }
        if numbers.contains(where: { hasFourNumbers($0) }) { return true }
        return text.utf8.split { !isDigit($0) && !isHexadecimal($0) && $0 != UInt8(ascii: ":") }.contains { part in
            let colons = part.count { $0 == UInt8(ascii: ":") }
            return colons > 6
                || colons > 1 && part.count > colons && String(decoding: part, as: UTF8.self).contains("::")
        }
    }

    private static func hasFourNumbers(_ text: Substring.UTF8View) -> Bool {
        var count = 0
        for part in text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            let isByte = (1...3).contains(part.count) && Int(Substring(part)).map { $0 < 256 } ?? false
            count = isByte ? count + 1 : 0
            if count == 4 { return true }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

extension PersonalDataMask {
    /// Whether the query of an address of the page names a person, or asks for something that is left out.
    package func isNamed(in query: QueryReader) -> Bool {
        query.names.contains { name in
            Self.ids.contains(name) || Self.names.contains(name.lowercased())
                || query.texts(name).contains { text in
                    if Self.checked(.string(text)) != .string(text) { return true }
                    return (try? JSONCondition(text)).map { hides($0.path) && $0.path.keys.count > 1 } ?? false
                }
        }
    }
}

extension PersonEvent {
    /// The same event without personal data in its text.
    package func hidden(by personalData: PersonalDataMask) -> PersonEvent {
        guard !text.isEmpty else { return self }
        return PersonEvent(
            sequence: sequence, time: time, user: user, device: device, kinds: kinds,
            text: personalData.hidden(event: text))
    }
}
