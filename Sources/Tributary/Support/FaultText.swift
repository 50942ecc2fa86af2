import Foundation
package import TributaryJSON

/// Takes the content of an event out of the message of a fault.
package enum FaultText {
    /// Shorter values are parts of ordinary words.
    private static let shortest = 3
    /// How many values of an event are looked for.
    private static let values = 1000

    /// The message with a mark in the place of each value of the event, of each mail address, and of each number with
    /// three or more digits. Names of events, types and properties stay.
    package static func masked(_ message: String, _ event: JSONObject) -> String {
        var values: Set<String> = []
        for (name, value) in event where name != "event" && name != "type" && name != "name" {
            collect(value, into: &values)
        }
        var text = message
        for value in Array(values).inOrder(by: { ($1.count, $1) < ($0.count, $0) }) where text.contains(value) {
            text = text.replacingOccurrences(of: value, with: "…")
        }
        return text.split(separator: " ", omittingEmptySubsequences: false).map(maskedWord).joined(separator: " ")
    }

    private static func maskedWord(_ word: Substring) -> String {
        if word.contains("@") { return "…" }
        var result = ""
        var digits = ""
        func endDigits() {
            result += digits.count < shortest ? digits : "…"
            digits = ""
        }
        for character in word {
            if character.isNumber {
                digits.append(character)
            } else {
                endDigits()
                result.append(character)
            }
        }
        endDigits()
        return result
    }

    private static func collect(_ value: JSON, into values: inout Set<String>) {
        guard values.count < Self.values else { return }
        if let text = value.stringValue {
            if text.count >= shortest { values.insert(text) }
        } else if let elements = value.elements {
            for element in elements { collect(element, into: &values) }
        } else if let object = value.objectValue {
            for (_, member) in object { collect(member, into: &values) }
        } else if value.numberValue != nil, value.description.count >= shortest {
            values.insert(value.description)
        }
    }
}
