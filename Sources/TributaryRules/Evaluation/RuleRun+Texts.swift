/// The methods of texts.
extension RuleRun {
    func callText(
        _ method: RuleMethod, _ owner: RuleValue, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        let first = arguments.first ?? .undefined
        if case .string(let text) = owner {
            try take(text.utf8.count / 16)
            switch method {
            case .toLowerCase: return .string(RuleText.lowercased(text))
            case .toUpperCase: return .string(RuleText.uppercased(text))
            case .trim: return .string(String(RuleText.trimmed(text[...], start: true, end: true)))
            case .trimStart: return .string(String(RuleText.trimmed(text[...], start: true, end: false)))
            case .trimEnd: return .string(String(RuleText.trimmed(text[...], start: false, end: true)))
            default: break
            }
        }
        switch method {
        case .toString: return owner
        case .concat:
            var result = owner
            for argument in arguments { result = try joined(result, try text(argument)) }
            return result
        case .hasOwnProperty:
            let key = try key(first)
            return .bool(key == "length" || RuleText.place(key).map { $0 < length(of: owner) } ?? false)
        case .repeat: return try repeated(owner, first)
        case .padStart, .padEnd: return try padded(owner, arguments, atStart: method == .padStart)
        case .split: return try split(owner, arguments)
        case .replace, .replaceAll: return try replaced(owner, arguments, all: method == .replaceAll)
        case .slice, .substring, .substr, .charAt, .charCodeAt, .at: return try part(method, owner, arguments)
        case .startsWith, .endsWith, .includes, .indexOf, .lastIndexOf: return try search(method, owner, arguments)
        case .toLowerCase: return RuleText.inParts(owner.utf16, RuleText.lowercased)
        case .toUpperCase: return RuleText.inParts(owner.utf16, RuleText.uppercased)
        case .trim, .trimStart, .trimEnd:
            return RuleText.trimmed(owner.utf16, start: method != .trimEnd, end: method != .trimStart)
        default: throw .type("a text has no method \(method.rawValue)")
        }
    }

    private func part(
        _ method: RuleMethod, _ owner: RuleValue, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        let units = owner.utf16
        try take(units.count / 16)
        let first = arguments.first ?? .undefined
        let count = units.count
        switch method {
        case .slice: return RuleValue(units: Array(units[try range(arguments, count)]))
        case .substring:
            let start = max(0, min(count, try whole(first)))
            let second = arguments.count > 1 ? arguments[1] : .undefined
            let end = second.isUndefined ? count : max(0, min(count, try whole(second)))
            return RuleValue(units: Array(units[min(start, end)..<max(start, end)]))
        case .substr:
            let start = try place(first, count, standard: 0)
            let second = arguments.count > 1 ? arguments[1] : .undefined
            let length = second.isUndefined ? count : max(0, try whole(second))
            return RuleValue(units: Array(units[start..<(start + min(length, count - start))]))
        case .charAt:
            let place = try whole(first)
            return units.indices.contains(place) ? RuleValue(units: [units[place]]) : .string("")
        case .charCodeAt:
            let place = try whole(first)
            return .number(units.indices.contains(place) ? Double(units[place]) : .nan)
        default:
            let index = try whole(first)
            let place = index < 0 ? count + index : index
            return units.indices.contains(place) ? RuleValue(units: [units[place]]) : .undefined
        }
    }

    private func search(
        _ method: RuleMethod, _ owner: RuleValue, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        let sought = try text(arguments.first ?? .undefined)
        let position = arguments.count > 1 ? arguments[1] : .undefined
        if position.isUndefined, case .string(let text) = owner, case .string(let other) = sought {
            // The bytes of complete texts can be compared as they are.
            switch method {
            case .startsWith: return .bool(text.utf8.starts(with: other.utf8))
            case .endsWith: return .bool(text.utf8.reversed().starts(with: other.utf8.reversed()))
            default: break
            }
        }
        let (units, part) = (owner.utf16, sought.utf16)
        try take(units.count / 16 + part.count / 16)
        let count = units.count
        switch method {
        case .startsWith:
            let start = max(0, min(count, try whole(position)))
            return .bool(units.dropFirst(start).starts(with: part))
        case .endsWith:
            let end = position.isUndefined ? count : max(0, min(count, try whole(position)))
            return .bool(end >= part.count && units[..<end].suffix(part.count).elementsEqual(part))
        case .includes, .indexOf:
            let start = max(0, min(count, try whole(position)))
            let found = try Self.place(of: part, in: units, from: start, run: self)
            return method == .includes ? .bool(found != nil) : .number(Double(found ?? -1))
        default:
            guard position.isUndefined else { throw .unsupported("it gives lastIndexOf a second argument") }
            return .number(Double(try lastPlace(of: part, in: units) ?? -1))
        }
    }

    static func place(
        of part: [UInt16], in units: [UInt16], from start: Int, run: RuleRun
    ) throws(RuleFault) -> Int? {
        guard part.count <= units.count else { return nil }
        guard let first = part.first else { return start }
        var place = start
        while place <= units.count - part.count {
            if units[place] == first {
                try run.take(part.count / 16)
                if units[place..<(place + part.count)].elementsEqual(part) { return place }
            }
            place += 1
        }
        return nil
    }

    private func lastPlace(of part: [UInt16], in units: [UInt16]) throws(RuleFault) -> Int? {
        var place = units.count - part.count
        while place >= 0 {
            try take(part.count / 16)
            if units[place..<(place + part.count)].elementsEqual(part) { return place }
            place -= 1
        }
        return nil
    }

    // MARK: Making texts

    private func repeated(_ owner: RuleValue, _ times: RuleValue) throws(RuleFault) -> RuleValue {
        let number = try number(times)
        let count = try whole(times)
        guard count >= 0, !number.isInfinite else { throw .range("repeat takes a number from 0") }
        let units = owner.utf16
        let (size, isTooLarge) = units.count.multipliedReportingOverflow(by: count)
        guard !isTooLarge else { throw .range("the text is too long") }
        try checkText(size)
        try take(size / 16)
        return RuleValue(units: Array(Array(repeating: units, count: units.isEmpty ? 0 : count).joined()))
    }

    private func padded(
        _ owner: RuleValue, _ arguments: [RuleValue], atStart: Bool
    ) throws(RuleFault) -> RuleValue {
        let units = owner.utf16
        let length = try whole(arguments.first ?? .undefined)
        let filler = arguments.count > 1 && !arguments[1].isUndefined ? try text(arguments[1]).utf16 : [0x20]
        guard length > units.count, !filler.isEmpty else { return owner }
        try checkText(length)
        try take(length / 16)
        let missing = length - units.count
        let padding = (0..<missing).map { filler[$0 % filler.count] }
        return RuleValue(units: atStart ? padding + units : units + padding)
    }

    private func split(_ owner: RuleValue, _ arguments: [RuleValue]) throws(RuleFault) -> RuleValue {
        let given = arguments.count > 1 ? arguments[1] : .undefined
        let limit = given.isUndefined ? UInt32.max : NumberText.uint32(try number(given))
        let separator = arguments.first ?? .undefined
        let part = try text(separator).utf16
        guard limit > 0 else { return .array(RuleArray(values: [])) }
        guard !separator.isUndefined else { return .array(RuleArray(values: [owner])) }
        let units = owner.utf16
        try take(units.count)
        var values: [RuleValue] = []
        if part.isEmpty {
            values = unitTexts(of: owner)
        } else {
            var start = 0
            while let place = try Self.place(of: part, in: units, from: start, run: self) {
                values.append(RuleValue(units: Array(units[start..<place])))
                start = place + part.count
            }
            values.append(RuleValue(units: Array(units[start...])))
        }
        values = Array(values.prefix(Int(min(limit, 1 << 20))))
        try checkCount(values.count)
        return .array(RuleArray(values: values))
    }

    private func replaced(
        _ owner: RuleValue, _ arguments: [RuleValue], all: Bool
    ) throws(RuleFault) -> RuleValue {
        let part = try text(arguments.first ?? .undefined).utf16
        let template = try text(arguments.count > 1 ? arguments[1] : .undefined).utf16
        let units = owner.utf16
        var result: [UInt16] = []
        var (end, start) = (0, 0)
        while let place = try Self.place(of: part, in: units, from: start, run: self) {
            result += units[end..<place]
            result += Self.replacement(template, for: part, at: place, in: units)
            end = place + part.count
            start = part.isEmpty ? place + 1 : end
            try checkText(result.count)
            try take(template.count / 16 + 1)
            if !all || start > units.count { break }
        }
        result += units[end...]
        try checkText(result.count)
        return RuleValue(units: result)
    }

    /// `$$`, `$&`, `` $` `` and `$'` have a meaning in the text that replaces.
    private static func replacement(
        _ template: [UInt16], for part: [UInt16], at place: Int, in units: [UInt16]
    ) -> [UInt16] {
        let dollar = UInt16(UInt8(ascii: "$"))
        guard template.contains(dollar) else { return template }
        var result: [UInt16] = []
        var position = 0
        while position < template.count {
            let next = position + 1 < template.count ? template[position + 1] : 0
            let inserted: [UInt16]? =
                if template[position] != dollar {
                    nil
                } else {
                    switch UInt8(truncatingIfNeeded: next > 0x7F ? 0 : next) {
                    case UInt8(ascii: "$"): [dollar]
                    case UInt8(ascii: "&"): part
                    case UInt8(ascii: "`"): Array(units[..<place])
                    case UInt8(ascii: "'"): Array(units[(place + part.count)...])
                    default: nil
                    }
                }
            result += inserted ?? [template[position]]
            position += inserted == nil ? 1 : 2
        }
        return result
    }
}
