import Foundation
import TributaryFilters
import TributaryJSON

/// Reviews a matcher: its paths, and comparisons that no event or every event satisfies.
struct MatcherReview {
    private let place: String
    private(set) var notes: [ReviewNote] = []
    private(set) var matchesEverything = false

    init(at place: String) { self.place = place }

    mutating func review(_ matcher: JSON) {
        switch matcher["type"]?.stringValue {
        case "all": matchesEverything = true
        case "fql":
            guard let text = matcher["ir"]?.stringValue, !text.isEmpty else {
                return note(
                    .error, "\(place).ir",
                    "an expression without text matches no event; {\"type\": \"all\"} matches all")
            }
            guard let expression = try? JSON.parse(text, limits: JSONLimits(depth: FilterLimits().irDepth)) else {
                // `FilterRules` reports it.
                return
            }
            whole(expression)
        default: break
        }
    }

    private mutating func whole(_ expression: JSON) {
        if let name = expression.elements?.first?.stringValue, ["lowercase", "typeof", "length"].contains(name) {
            return note(.error, "\(place).ir", "\(name) alone matches no event; compare its result")
        }
        if expression.elements?.first == "and", expression.elements?.count == 1 { matchesEverything = true }
        condition(expression, at: "\(place).ir")
    }

    // MARK: Conditions

    private mutating func condition(_ json: JSON, at path: String) {
        guard let call = json.elements else {
            if let text = json.stringValue { self.path(text, at: path) }
            return
        }
        switch call.first?.stringValue {
        case "!", "and", "or":
            if call.count == 1 { note(.warning, path, "there is no condition in it") }
            for position in call.indices.dropFirst() { condition(call[position], at: "\(path)[\(position)]") }
        case "in": membership(call, at: path)
        case "=", "!=": equality(call, at: path)
        case "<", "<=", ">", ">=": order(call, at: path)
        case "contains", "match": textTest(call, at: path)
        default: break
        }
    }

    private mutating func equality(_ call: [JSON], at path: String) {
        guard call.count > 2 else { return }
        let (left, right) = (ReviewedOperand(call[1]), ReviewedOperand(call[2]))
        comparison(left, right, at: path)
        if left == right, case .path = left {
            return note(.error, path, "both sides are the same, so the answer is always the same")
        }
        for (side, other) in [(left, right), (right, left)] {
            guard case .literal(let value?) = other, let fault = side.neverEquals(value) else { continue }
            note(.error, path, fault)
        }
    }

    private mutating func order(_ call: [JSON], at path: String) {
        guard call.count > 2 else { return }
        let (left, right) = (ReviewedOperand(call[1]), ReviewedOperand(call[2]))
        comparison(left, right, at: path)
        let name = call[0].stringValue ?? ""
        for operand in [left, right] {
            switch operand {
            case .literal(let value) where value?.doubleValue == nil:
                let number = value?.stringValue.flatMap(Double.init) == nil ? "" : "; write it without quotes"
                note(
                    .error, path, "\(name) compares numbers, and \(value?.description ?? "undefined") is none\(number)")
            case .function(let function, _) where function != "length":
                note(.error, path, "\(name) compares numbers, and \(function) gives none")
            default: break
            }
        }
    }

    /// Two paths, of which one looks like a value, are equal where an event has neither.
    private mutating func comparison(_ left: ReviewedOperand, _ right: ReviewedOperand, at path: String) {
        let areBothPaths = left.path != nil && right.path != nil
        for (position, operand) in [left, right].enumerated() {
            guard let text = operand.path else { continue }
            self.path(text, at: "\(path)[\(position + 1)]", isValueLikely: areBothPaths)
        }
    }

    private mutating func textTest(_ call: [JSON], at path: String) {
        guard call.count > 2 else { return }
        let (text, wanted) = (ReviewedOperand(call[1]), ReviewedOperand(call[2]))
        comparison(text, wanted, at: path)
        let name = call[0].stringValue ?? ""
        guard case .literal(let value) = wanted else { return }
        guard let pattern = value?.stringValue else {
            return note(
                .error, "\(path)[2]", "\(name) looks for a text, and \(value?.description ?? "undefined") is none")
        }
        if name == "contains", pattern.isEmpty {
            return note(.warning, "\(path)[2]", "every text contains the empty text")
        }
        if name == "contains", case .function("lowercase", _) = text, pattern != pattern.lowercased() {
            return note(.error, "\(path)[2]", "a text in lower case never contains \"\(pattern)\"")
        }
        if name == "match" { self.pattern(pattern, text, at: "\(path)[2]") }
    }

    private mutating func pattern(_ pattern: String, _ text: ReviewedOperand, at path: String) {
        if !GlobPattern.isWellFormed(pattern) {
            note(.error, path, "the pattern \"\(pattern)\" is malformed and matches no text")
        } else if pattern.hasPrefix("^") || pattern.hasSuffix("$") || pattern.contains(".*") || pattern.contains("\\d")
        {
            note(
                .error, path,
                "\"\(pattern)\" is a regular expression, and match takes a pattern in which * stands for any letters")
        } else if !pattern.contains(where: { "*?[\\".contains($0) }) {
            note(
                .warning, path,
                "a pattern has to match the whole text, so \"\(pattern)\" matches only that text; write \"*\(pattern)*\""
            )
        }
    }

    private mutating func membership(_ call: [JSON], at path: String) {
        guard call.count > 2 else { return }
        let item = ReviewedOperand(call[1])
        if let text = item.path { self.path(text, at: "\(path)[1]") }
        guard let list = call[2].elements ?? call[2]["value"]?.elements else {
            if let text = call[2].stringValue { self.path(text, at: "\(path)[2]") }
            return
        }
        if list.isEmpty { note(.error, "\(path)[2]", "nothing is in an empty list") }
        let prefix = "\(path)[2]\(call[2].elements == nil ? ".value" : "")"
        for (position, element) in list.enumerated() {
            let operand = ReviewedOperand(element)
            if let text = operand.path { self.path(text, at: "\(prefix)[\(position)]", isValueLikely: true) }
            guard case .literal(let value?) = operand else { continue }
            if value.objectValue != nil || value.elements != nil {
                note(.error, "\(prefix)[\(position)]", "objects and arrays are never found in a list")
            } else if let fault = item.neverEquals(value) {
                note(.error, "\(prefix)[\(position)]", fault)
            }
        }
    }

    // MARK: Paths

    /// - Parameter isValueLikely: true where a value is more usual than a path.
    private mutating func path(_ text: String, at place: String, isValueLikely: Bool = false) {
        guard let fault = EventShape.fault(of: text) else { return }
        let literal = JSON.object(["value": .string(text)]).description
        switch fault {
        case .impossible(let reason):
            note(
                .error, place,
                "a text is a path, and \(reason)\(reason.hasSuffix("?") ? "" : ";") the value is \(literal)")
        case .unusual where isValueLikely:
            note(.error, place, "a text is a path, and events have no member \"\(text)\"; the value is \(literal)")
        case .unusual(let reason): note(.warning, place, "\(reason), and the value is \(literal)")
        }
    }

    private mutating func note(_ severity: FilterFinding.Severity, _ path: String, _ message: String) {
        notes.append(ReviewNote(severity: severity, path: path, message: message))
    }
}

/// An operand as a person reads it.
enum ReviewedOperand: Equatable {
    case path(String)
    /// Nil for undefined.
    case literal(JSON?)
    /// A function of the operand of this path; nil for a function of something else.
    case function(String, String?)
    case other

    init(_ json: JSON) {
        switch json {
        case .string(let text): self = .path(text)
        case .object(let object):
            if let call = object["value"]?.elements, let function = Self.function(call) {
                self = function
            } else {
                self = .literal(object["value"])
            }
        case .array(let call): self = Self.function(call) ?? .literal(json)
        case .null, .bool, .number: self = .other
        }
    }

    private static func function(_ call: [JSON]) -> ReviewedOperand? {
        guard let name = call.first?.stringValue else { return nil }
        switch (name, call.count) {
        case ("lowercase", 2), ("typeof", 2), ("length", 2): return .function(name, call[1].stringValue)
        case ("contains", 3), ("match", 3): return .function(name, nil)
        default: return nil
        }
    }

    /// The path of the operand, or of the argument of its function.
    var path: String? {
        switch self {
        case .path(let text): text
        case .function(_, let text): text
        case .literal, .other: nil
        }
    }

    private static let typeNames: Set<String> = ["string", "number", "boolean", "object", "undefined"]

    /// Why the operand never equals a value; nil when it can.
    func neverEquals(_ value: JSON) -> String? {
        switch self {
        case .path("type"):
            guard let text = value.stringValue, EventShape.types.contains(text) else {
                let types = EventShape.types.sorted().joined(separator: ", ")
                return "no event has the type \(value.description); the types are \(types)"
            }
            return nil
        case .path(let path) where path.hasSuffix(".length"), .function("length", let path?):
            return value.doubleValue == nil ? "the length of \(path) is a number, not \(value.description)" : nil
        case .path(let path) where EventShape.texts.contains(path):
            return value.doubleValue != nil || value.boolValue != nil
                ? "\(path) is a text, and never equals \(value.description)" : nil
        case .function("typeof", _):
            guard let text = value.stringValue, Self.typeNames.contains(text) else {
                return "typeof gives \(Self.typeNames.sorted().joined(separator: ", ")), never \(value.description)"
            }
            return nil
        case .function("lowercase", _):
            guard let text = value.stringValue, text != text.lowercased() else { return nil }
            return "a text in lower case never equals \"\(text)\""
        case .function("contains", _), .function("match", _):
            return value.boolValue == nil ? "the answer is true or false, never \(value.description)" : nil
        case .function, .literal, .other, .path: return nil
        }
    }
}
