import TributaryJSON

/// Puts back what JavaScript cannot hold: integers beyond 2^53, the spelling of numbers, numbers beyond a double.
///
/// A value stands for an original when it is what JavaScript makes of it. First each member is compared with the one at
/// the same place; a number that is new there is then looked for among all numbers of the original, so that copies and
/// moves come out as they went in, too. Two originals that JavaScript takes for one number are told apart by their place
/// only, and a copy of such a one stays as JavaScript wrote it. A number that the script made itself gets the spelling of
/// an equal original. Not covered: a number too large for a double that was copied or moved (JavaScript makes `null` of
/// it), and values that scripts pass to `analytics.track` and the like.
struct EventRestoration {
    private let original: JSON
    /// Made when the first number is met that stands at no old place.
    private var originals: [Double: JSONNumber?]?

    /// The event that came out of JavaScript, with the values of the one that went in.
    static func restore(_ result: JSON, from original: JSON) -> JSON {
        var restoration = EventRestoration(original: original)
        return restoration.value(result, original)
    }

    private init(original: JSON) { self.original = original }

    private mutating func value(_ result: JSON, _ old: JSON?) -> JSON {
        switch (result, old) {
        case (.object(let members), .object(let old)): .object(object(members, old))
        case (.object(let members), _): .object(object(members, JSONObject()))
        case (.array(let elements), .array(let old)): .array(array(elements, old))
        case (.array(let elements), _): .array(array(elements, []))
        case (.number(let number), .number(let old)) where old.double == number.double: .number(old)
        case (.number(let number), _): .number(moved(number))
        case (.null, .number(let old)) where old.double.isInfinite: .number(old)
        default: result
        }
    }

    /// The members in the result's order. JavaScript puts keys that look like indexes first; those that were there
    /// before keep their order from the original.
    private mutating func object(_ members: JSONObject, _ old: JSONObject) -> JSONObject {
        var restored = JSONObject()
        if Self.mayBeReordered(members) {
            for (key, oldValue) in old {
                if let member = members[key] { restored[key] = value(member, oldValue) }
            }
        }
        for (position, (key, member)) in members.enumerated() where restored[key] == nil {
            // Members mostly stand where they stood, which saves looking for them.
            let isInPlace = position < old.count && old[position].key == key
            restored[key] = value(member, isInPlace ? old[position].value : old[key])
        }
        return restored
    }

    private static func mayBeReordered(_ members: JSONObject) -> Bool {
        guard let first = members.first?.key.utf8.first else { return false }
        return first &- UInt8(ascii: "0") < 10
    }

    private mutating func array(_ elements: [JSON], _ old: [JSON]) -> [JSON] {
        var restored: [JSON] = []
        restored.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            restored.append(value(element, position < old.count ? old[position] : Optional.none))
        }
        return restored
    }

    /// The only number of the original that JavaScript writes in this way, wherever it stood.
    private mutating func moved(_ number: JSONNumber) -> JSONNumber {
        if originals == nil {
            var found: [Double: JSONNumber?] = [:]
            Self.collect(original, into: &found)
            originals = found
        }
        return (originals?[number.double] ?? nil) ?? number
    }

    private static func collect(_ value: JSON, into found: inout [Double: JSONNumber?]) {
        switch value {
        case .number(let number):
            if let known = found[number.double] {
                if known?.description != number.description { found[number.double] = .some(nil) }
            } else {
                found[number.double] = number
            }
        case .array(let elements): for element in elements { collect(element, into: &found) }
        case .object(let members): for (_, member) in members { collect(member, into: &found) }
        default: break
        }
    }
}
