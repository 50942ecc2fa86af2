import Foundation
import TributaryJSON

/// A consent string of IAB Europe's Transparency and Consent Framework, version 2: which of its purposes the user allows.
enum TransparencyString {
    /// Purpose 4 is the category `tcf.4`.
    static let prefix = "tcf."

    /// The purposes of a string in the consent of an event, as categories; nil when there is no string. A string that cannot
    /// be read allows nothing.
    static func purposes(in consent: JSON?) -> [String: Bool]? {
        let places = [consent?["tcfString"], consent?["tcString"], consent?["tcf"], consent?["tcf"]?["tcString"]]
        guard let text = places.lazy.compactMap({ $0?.stringValue }).first else { return nil }
        let allowed = read(text) ?? []
        return Dictionary(uniqueKeysWithValues: (1...count).map { ("\(prefix)\($0)", allowed.contains($0)) })
    }

    /// The numbers of the purposes with consent; nil when the text is no string of version 2.
    static func read(_ text: String) -> Set<Int>? {
        guard text.utf8.count <= Limits.transparencyString, let core = text.split(separator: ".").first else {
            return nil
        }
        var base = String(core).replacing("-", with: "+").replacing("_", with: "/")
        base += String(repeating: "=", count: (4 - base.count % 4) % 4)
        guard let bytes = Data(base64Encoded: base), bytes.count * 8 >= first + count, bytes[0] >> 2 == 2 else {
            return nil
        }
        return Set((1...count).filter { bytes.hasBit(first + $0 - 1) })
    }

    private static let count = 24
    /// The place of the purposes in the bits of the first part.
    private static let first = 152
}

extension Data {
    fileprivate func hasBit(_ place: Int) -> Bool { self[startIndex + place / 8] & (0x80 >> UInt8(place % 8)) != 0 }
}
