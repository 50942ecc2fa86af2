import TributaryJSON

/// Puts back what JavaScript cannot hold: integers beyond 2^53, the spelling of numbers, numbers beyond a double.
///
/// A value stands for an original when it is what JavaScript makes of it. First each member is compared with the one at
/// the same place; a number that is new there is then looked for among all numbers of the original, so that copies and
/// moves come out as they went in, too. Two originals that JavaScript takes for one number are told apart by their
/// place only, and a copy of such a one stays as JavaScript wrote it. A number that the script made itself gets the
/// spelling of an equal original. Not covered: a number too large for a double that was copied or moved (JavaScript
/// makes `null` of it), and values that scripts pass to `analytics.track` and the like.
struct EventRestoration {
    private let original: JSON
    /// Made when the first number is met that stands at no old place.
    private var originals: [Double: JSONNumber?]?

    /// The event that came out of JavaScript, with the values of the one that went in.
    static func restore(_ result: JSON, from original: JSON) -> JSON {
        var restoration = EventRestoration(original: original)
        return restoration.replacement(for: result, original) ?? result
    }

    private init(original: JSON) { self.original = original }

    /// What has to stand in a value's place; nil when it can stay, which most can.
    private mutating func replacement(for result: JSON, _ old: JSON?) -> JSON? {
        switch (result, old) {
        case (.string, _), (.bool, _): Optional.none
        case (.object(let members), .object(let old)): replacement(for: members, old).map(JSON.object)
        case (.object(let members), _): replacement(for: members, JSONObject()).map(JSON.object)
        case (.array(let elements), .array(let old)): replacement(for: elements, old).map(JSON.array)
        case (.array(let elements), _): replacement(for: elements, []).map(JSON.array)
        case (.number(let number), .number(let old)) where old.double == number.double:
            old.description == number.description ? Optional.none : .number(old)
        case (.number(let number), _): moved(number).map(JSON.number)
        case (.null, .number(let old)) where old.double.isInfinite: .number(old)
        case (.null, _): Optional.none
        }
    }

    private mutating func replacement(for members: JSONObject, _ old: JSONObject) -> JSONObject? {
        var restored = Self.reordered(members, old)
        for (position, member) in members.enumerated() {
            // Members mostly stand where they stood, which saves looking for them.
            let isInPlace = position < old.count && old[position].key == member.key
            let oldValue = isInPlace ? old[position].value : old[member.key]
            if let value = replacement(for: member.value, oldValue) {
                restored = restored ?? members
                restored?[member.key] = value
            }
        }
        return restored
    }

    /// JavaScript puts keys that look like indexes first. Members that were there before get their old order back; nil
    /// when there are no such keys.
    private static func reordered(_ members: JSONObject, _ old: JSONObject) -> JSONObject? {
        guard let first = members.first?.key.utf8.first, first &- UInt8(ascii: "0") < 10 else { return nil }
        var ordered = JSONObject()
        for (key, _) in old { ordered[key] = members[key] }
        for (key, member) in members { ordered[key] = member }
        return ordered
    }

    private mutating func replacement(for elements: [JSON], _ old: [JSON]) -> [JSON]? {
        var restored: [JSON]?
        for (position, element) in elements.enumerated() {
            let oldElement = position < old.count ? old[position] : Optional.none
            if let value = replacement(for: element, oldElement) {
                restored = restored ?? elements
                restored?[position] = value
            }
        }
        return restored
    }

    /// The only number of the original that JavaScript writes in this way, wherever it stood.
    private mutating func moved(_ number: JSONNumber) -> JSONNumber? {
        if originals == nil {
            var found: [Double: JSONNumber?] = [:]
            Self.collect(original, into: &found)
            originals = found
        }
        guard let found = originals?[number.double], let found, found.description != number.description else {
            return nil
        }
        return found
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
