import TributaryJSON

/// Restores values that JavaScript cannot hold: integers beyond 2^53, the spelling of numbers, numbers beyond a double.
///
/// A value represents an original when it is what JavaScript makes of the original.
///
/// - First each member is compared with the original at the same place.
/// - A new number is then looked up among all numbers that the script was given, so copied and moved numbers stay exact
///   as well.
/// - When two originals are the same number in JavaScript, the original that is missing at its old place was moved.
///   When that does not decide, the number stays as JavaScript wrote it, and the collision is reported.
/// - A number that the script made itself gets the spelling of an equal original.
/// - JavaScript makes `null` of a number beyond a double. A `null` at a new place represents such a number when there
///   is only one.
struct EventRestoration {
    /// The result of a restoration.
    struct Outcome {
        let value: JSON
        /// Two originals that a copy may represent; nil when every number is known.
        let collision: String?
    }

    private let original: JSON
    private let remembered: [JSON]
    private let result: JSON
    /// Made when more than a few numbers are at no old place.
    private var candidates: [Double: [JSONNumber]]?
    private var searches = 0
    /// The number of times that each original is missing at its old place. Made when the first number has two
    /// candidates.
    private var missing: [String: Int]?
    private var collision: String?

    /// Restores an event that JavaScript returned. It was read with the help of the original.
    ///
    /// Most events need no restoration: all numbers are at their old places, or the script got no number that
    /// JavaScript changes.
    /// - Parameter remembered: other values that the script got meanwhile.
    static func restore(_ read: JSONReading, from original: JSON, remembered: [JSON]) -> Outcome {
        let mayNeedNumbers = read.hasNewNumbers && !([original] + remembered).allSatisfy(\.hasOnlyPlainNumbers)
        guard mayNeedNumbers || read.hasNumberedKeys else { return Outcome(value: read.value, collision: nil) }
        return restore(read.value, from: original, remembered: remembered)
    }

    /// Restores a value that JavaScript returned, with the numbers of the original.
    ///
    /// - Parameter remembered: other values that the script got meanwhile.
    static func restore(_ result: JSON, from original: JSON, remembered: [JSON] = []) -> Outcome {
        var restoration = EventRestoration(original: original, remembered: remembered, result: result)
        let value = restoration.replacement(for: result, original) ?? result
        return Outcome(value: value, collision: restoration.collision)
    }

    private init(original: JSON, remembered: [JSON], result: JSON) {
        self.original = original
        self.remembered = remembered
        self.result = result
    }

    /// The replacement of a value; nil when the value can stay, as most can.
    private mutating func replacement(for result: JSON, _ old: JSON?) -> JSON? {
        switch (result, old) {
        case (.string, _), (.bool, _): Optional.none  // see `mayDiffer`
        case (.object(let members), .object(let old)):
            members.isIdentical(to: old) ? Optional.none : replacement(for: members, old).map(JSON.object)
        case (.object(let members), _): replacement(for: members, JSONObject()).map(JSON.object)
        case (.array(let elements), .array(let old)): replacement(for: elements, old).map(JSON.array)
        case (.array(let elements), _): replacement(for: elements, []).map(JSON.array)
        case (.number(let number), .number(let old)) where old.double == number.double:
            old.isWritten(like: number) ? Optional.none : .number(old)
        case (.number(let number), _): moved(number).map(JSON.number)
        case (.null, .number(let old)) where old.double.isInfinite: .number(old)
        case (.null, nil): movedBeyondDouble().map(JSON.number)
        case (.null, _): Optional.none
        }
    }

    private mutating func replacement(for members: JSONObject, _ old: JSONObject) -> JSONObject? {
        var restored = Self.reordered(members, old)
        for (position, member) in members.enumerated() where Self.mayDiffer(member.value) {
            // Members are mostly at their old place, which saves a search.
            let isInPlace = position < old.count && old[position].key == member.key
            let oldValue = isInPlace ? old[position].value : old[member.key]
            if let value = replacement(for: member.value, oldValue) {
                restored = restored ?? members
                restored?[member.key] = value
            }
        }
        return restored
    }

    /// Whether the value has or had numbers.
    private static func mayDiffer(_ value: JSON) -> Bool {
        switch value {
        case .string, .bool: false
        case .number, .null, .array, .object: true
        }
    }

    /// JavaScript puts keys that look like indexes first. Restores the order of the members that were there before; nil
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
        for (position, element) in elements.enumerated() where Self.mayDiffer(element) {
            let oldElement = position < old.count ? old[position] : Optional.none
            if let value = replacement(for: element, oldElement) {
                restored = restored ?? elements
                restored?[position] = value
            }
        }
        return restored
    }

    // MARK: Numbers at a new place

    /// The original that JavaScript writes in this way, wherever it was; nil when the number can stay as it is.
    private mutating func moved(_ number: JSONNumber) -> JSONNumber? {
        let candidates = candidates(for: number.double)
        guard let found = candidates.count < 2 ? candidates.first : chosen(among: candidates) else { return nil }
        return found.isWritten(like: number) ? nil : found
    }

    private mutating func movedBeyondDouble() -> JSONNumber? {
        let candidates = candidates(for: .infinity) + candidates(for: -.infinity)
        return candidates.count < 2 ? candidates.first : chosen(among: candidates)
    }

    private mutating func candidates(for double: Double) -> [JSONNumber] {
        searches += 1
        guard searches > Self.searchesWithoutIndex else { return search(double) }
        if candidates == nil {
            var found: [Double: [JSONNumber]] = [:]
            visitOriginals { Self.add($0, to: &found[$0.double, default: []]) }
            candidates = found
        }
        return candidates?[double] ?? []
    }

    private func search(_ double: Double) -> [JSONNumber] {
        var found: [JSONNumber] = []
        visitOriginals { if $0.double == double { Self.add($0, to: &found) } }
        return found
    }

    private func visitOriginals(_ body: (JSONNumber) -> Void) {
        Self.visit(original, body)
        for value in remembered { Self.visit(value, body) }
    }

    private static func add(_ number: JSONNumber, to found: inout [JSONNumber]) {
        if !found.contains(where: { $0.isWritten(like: number) }) { found.append(number) }
    }

    /// An index costs as much as some searches. With hostile events it keeps the work linear.
    private static let searchesWithoutIndex = 4

    /// The candidate that is missing at its old place.
    private mutating func chosen(among candidates: [JSONNumber]) -> JSONNumber? {
        if missing == nil { missing = countMissing() }
        let gone = candidates.filter { missing?[$0.description, default: 0] ?? 0 > 0 }
        if gone.count == 1, let found = gone.first {
            missing?[found.description, default: 0] -= 1
            return found
        }
        // Spellings of one value are the same number.
        if candidates.contains(where: { $0 != candidates[0] }) {
            collision = candidates.map(\.description).joined(separator: " and ")
        }
        return nil
    }

    private func countMissing() -> [String: Int] {
        var counts: [String: Int] = [:]
        Self.visit(original) { counts[$0.description, default: 0] += 1 }
        Self.visitKept(result, original) { counts[$0.description, default: 0] -= 1 }
        return counts
    }

    private static func visit(_ value: JSON, _ body: (JSONNumber) -> Void) {
        switch value {
        case .number(let number): body(number)
        case .array(let elements): for element in elements { visit(element, body) }
        case .object(let members): for (_, member) in members { visit(member, body) }
        default: break
        }
    }

    /// Visits the originals that are still at their places.
    private static func visitKept(_ result: JSON, _ old: JSON?, _ body: (JSONNumber) -> Void) {
        switch (result, old) {
        case (.number(let number), .number(let old)): if old.double == number.double { body(old) }
        case (.null, .number(let old)): if old.double.isInfinite { body(old) }
        case (.array(let elements), .array(let old)):
            for (element, old) in zip(elements, old) { visitKept(element, old, body) }
        case (.object(let members), .object(let old)):
            for (key, member) in members { visitKept(member, old[key], body) }
        default: break
        }
    }
}
