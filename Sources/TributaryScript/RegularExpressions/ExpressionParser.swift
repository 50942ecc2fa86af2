/// Reads the pattern of a regular expression of JavaScript.
///
/// A construct that it does not know exactly, such as a property of Unicode, counts as any character. So what it reads
/// matches at least what the pattern matches, in at least as many ways. Patterns that no engine accepts may be read in
/// any way.
struct ExpressionParser {
    private let scalars: [UInt32]
    private let isUnicode: Bool
    private let hasSets: Bool
    private let groupCount: Int
    private var ignoresCase: Bool
    private var dotMatchesAll: Bool
    private var isMultiline: Bool
    private var hasModifiers = false
    /// The characters that a lookahead just before excludes.
    private var excluded: ExpressionCharacters?
    private var position = 0
    private var depth = 0
    private var openedGroups = 0
    private var groups: [Int: ExpressionNode] = [:]
    private var names: [String: Int] = [:]

    static let maximumLength = 50_000

    /// Nil for a pattern that is nested too deeply or too long.
    static func node(of pattern: some StringProtocol, flags: some StringProtocol) -> ExpressionNode? {
        // Without the flag, characters beyond the first 65,536 are two.
        let isUnicode = flags.contains("u") || flags.contains("v")
        let scalars = isUnicode ? pattern.unicodeScalars.map(\.value) : pattern.utf16.map(UInt32.init)
        var parser = ExpressionParser(scalars, flags)
        guard parser.scalars.count <= maximumLength, let node = parser.choice(),
            parser.position == parser.scalars.count
        else { return nil }
        let groups = parser.groups
        // A group inside of which the reference stands has matched nothing yet, which `anything` also covers.
        return node.replacingReferences { number in
            let matched = groups[number].map { group in
                ExpressionNode.repetition(group.replacingReferences { _ in .anything }, least: 0, most: 1)
            }
            // It may also fail.
            return .sequence([.assertion, matched ?? .anything])
        }
    }

    private init(_ scalars: [UInt32], _ flags: some StringProtocol) {
        self.scalars = scalars
        ignoresCase = flags.contains("i")
        dotMatchesAll = flags.contains("s")
        isMultiline = flags.contains("m")
        hasSets = flags.contains("v")
        isUnicode = hasSets || flags.contains("u")
        groupCount = Self.groupCount(scalars)
    }

    /// How many groups keep what they match. A number beyond it is a character and no reference.
    private static func groupCount(_ scalars: [UInt32]) -> Int {
        let mark = { (place: Int) in place < scalars.count ? Unicode.Scalar(scalars[place]) ?? "\u{FFFD}" : nil }
        var (count, isInClass, place) = (0, false, 0)
        while let scalar = mark(place) {
            switch scalar {
            case "\\": place += 1
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass:
                let isNamed = mark(place + 2) == "<" && mark(place + 3) != "=" && mark(place + 3) != "!"
                if mark(place + 1) != "?" || isNamed { count += 1 }
            default: break
            }
            place += 1
        }
        return count
    }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? Unicode.Scalar(scalars[position + distance]) ?? "\u{FFFD}" : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    private mutating func choice() -> ExpressionNode? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 100 else { return nil }
        var parts: [ExpressionNode] = []
        repeat {
            guard let part = sequence() else { return nil }
            parts.append(part)
        } while take("|")
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() -> ExpressionNode? {
        var parts: [ExpressionNode] = []
        while let scalar = peek(), scalar != "|", scalar != ")" {
            let excludedBefore = excluded
            excluded = nil
            guard let atom = atom() else { return nil }
            // In a repetition, only the first turn follows the lookahead.
            let isRepeated = peek().map { "*+?{".unicodeScalars.contains($0) } ?? false
            parts.append(quantified(isRepeated ? atom : excludedBefore.map(atom.without) ?? atom))
        }
        return .sequence(parts)
    }

    private mutating func quantified(_ atom: ExpressionNode) -> ExpressionNode {
        var bounds: (Int, Int?)
        switch peek() {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            guard let counted = countedBounds() else { return atom }
            bounds = counted
            position -= 1
        default: return atom
        }
        position += 1
        _ = take("?")
        return .repetition(atom, least: bounds.0, most: bounds.1)
    }

    /// Reads `{2}`, `{2,}` or `{2,4}`. The position is after it, or where it was.
    private mutating func countedBounds() -> (Int, Int?)? {
        let start = position
        position += 1
        guard let least = integer() else {
            position = start
            return nil
        }
        var most: Int? = least
        if take(",") { most = integer() }
        guard take("}") else {
            position = start
            return nil
        }
        return (least, most.map { max($0, least) })
    }

    private mutating func integer() -> Int? {
        var value: Int?
        while let scalar = peek(), ("0"..."9").contains(scalar) {
            value = min((value ?? 0) * 10 + Int(scalar.value - 48), 1_000_000)
            position += 1
        }
        return value
    }

    private mutating func atom() -> ExpressionNode? {
        guard let scalar = peek() else { return nil }
        position += 1
        switch scalar {
        case "^": return isMultiline ? .assertion : .start
        case "$": return .assertion
        case ".": return .characters(dotMatchesAll ? .all : ExpressionCharacters.lineEnds.inverted)
        case "(": return group()
        case "[": return hasSets ? classOfSets() : .characters(characterClass())
        case "\\": return escape()
        case "{":
            // A brace that is not a quantifier is a character.
            return .characters(ExpressionCharacters(scalar.value))
        default: return .characters(folded(ExpressionCharacters(scalar.value)))
        }
    }

    /// A few letters have a second case beyond ASCII, when the expression knows Unicode.
    private func folded(_ set: ExpressionCharacters) -> ExpressionCharacters {
        guard ignoresCase else { return set }
        return isUnicode && set.meets(Self.lettersWithMoreCases)
            ? set.anyCase.union(Self.lettersWithMoreCases) : set.anyCase
    }

    private static let lettersWithMoreCases = ExpressionCharacters("ksKS").union(ExpressionCharacters(0x17F))

    private mutating func group() -> ExpressionNode? {
        guard take("?") else { return captured() }
        if take("<") {
            if take("=") || take("!") { return closed().map { .lookbehind($0) } }
            var name = ""
            while let scalar = peek(), scalar != ">" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            position += 1
            names[name] = openedGroups + 1
            return captured()
        }
        if take("=") { return closed().map { .lookahead($0) } }
        if take("!") {
            guard let body = closed() else { return nil }
            excluded = hasModifiers ? nil : body.singleCharacters
            return .lookahead(body)
        }
        if !take(":") {
            // Flags for the group. The rest is read as if all of them were set.
            (ignoresCase, dotMatchesAll, isMultiline, hasModifiers) = (true, true, true, true)
            while let scalar = peek(), scalar != ":", scalar != ")" { _ = take(scalar) }
            guard take(":") else { return nil }
        }
        return closed()
    }

    private mutating func captured() -> ExpressionNode? {
        openedGroups += 1
        let number = openedGroups
        let body = closed()
        groups[number] = body
        return body
    }

    private mutating func closed() -> ExpressionNode? {
        guard let body = choice(), take(")") else { return nil }
        return body
    }

    private mutating func escape() -> ExpressionNode? {
        guard let scalar = peek() else { return nil }
        if scalar == "b" || scalar == "B" {
            position += 1
            return .assertion
        }
        if scalar == "k" {
            position += 1
            return namedReference()
        }
        if ("1"..."9").contains(scalar) {
            let number = integer() ?? 0
            // Old forms of characters have up to three digits, and more may follow.
            return number <= groupCount ? .reference(number) : .repetition(.characters(.all), least: 1, most: 4)
        }
        // A property of texts, with the flag `v`.
        let isOfTexts = hasSets && scalar == "p"
        return escapedSet().map { isOfTexts ? Self.texts : .characters(folded($0)) }
    }

    private mutating func namedReference() -> ExpressionNode {
        guard take("<") else { return .characters(folded(ExpressionCharacters("k"))) }
        var name = ""
        while let scalar = peek(), scalar != ">" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        position += 1
        // A name that comes later has matched nothing yet, or belongs to an earlier turn of a loop.
        return .reference(names[name] ?? 0)
    }

    /// Reads the rest of an escape, in a class or outside.
    private mutating func escapedSet() -> ExpressionCharacters? {
        guard let scalar = peek() else { return nil }
        switch scalar {
        case "d": return skipped(.digits)
        case "D": return skipped(ExpressionCharacters.digits.inverted)
        case "w": return skipped(.word)
        case "W": return skipped(ExpressionCharacters.word.inverted)
        case "s": return skipped(.space)
        case "S": return skipped(ExpressionCharacters.space.inverted)
        case "p" where isUnicode, "P" where isUnicode:
            position += 1
            if take("{") { while peek() != nil, !take("}") { position += 1 } }
            return .all
        default: return escapedCharacter().map { ExpressionCharacters($0) }
        }
    }

    private mutating func skipped(_ set: ExpressionCharacters) -> ExpressionCharacters {
        position += 1
        return set
    }

    /// Reads the rest of an escape that is one character; nil at the end of the pattern.
    private mutating func escapedCharacter() -> UInt32? {
        guard let scalar = peek() else { return nil }
        position += 1
        switch scalar {
        case "n": return 10
        case "r": return 13
        case "t": return 9
        case "v": return 11
        case "f": return 12
        case "0": return 0
        case "x": return hexadecimal(2) ?? 0x78
        case "u": return unicode()
        case "c":
            guard let letter = peek(), letter.isASCII else { return 0x5C }
            position += 1
            return letter.value & 31
        default: return scalar.value
        }
    }

    private mutating func unicode() -> UInt32 {
        if isUnicode, take("{") {
            let value = hexadecimal(8) ?? 0x80
            _ = take("}")
            return value
        }
        guard let value = hexadecimal(4) else { return 0x75 }
        // With the flag, two escaped halves are one character.
        if isUnicode, (0xD800..<0xDC00).contains(value), peek() == "\\", peek(1) == "u" {
            let start = position
            position += 2
            if let second = hexadecimal(4), (0xDC00..<0xE000).contains(second) { return 0x1_0000 }
            position = start
        }
        return value
    }

    private mutating func hexadecimal(_ most: Int) -> UInt32? {
        var value: UInt32?
        for _ in 0..<most {
            guard let scalar = peek(), let digit = UInt32(String(scalar), radix: 16) else { break }
            value = (value ?? 0) * 16 + digit
            position += 1
        }
        return value
    }

    /// A class with the flag `v` may hold other classes and whole texts.
    private mutating func classOfSets() -> ExpressionNode? {
        var (open, hasTexts) = (1, false)
        while let scalar = peek() {
            position += 1
            switch scalar {
            case "[": open += 1
            case "]": open -= 1
            case "\\":
                hasTexts = hasTexts || peek() == "q" || peek() == "p"
                position += 1
            default: break
            }
            if open == 0 { return hasTexts ? Self.texts : .characters(.all) }
        }
        return nil
    }

    private static let texts = ExpressionNode.repetition(.characters(.all), least: 0, most: nil)

    private mutating func characterClass() -> ExpressionCharacters {
        let isInverted = take("^")
        var set = ExpressionCharacters.none
        while let scalar = peek(), scalar != "]" {
            let (start, startSet) = classAtom()
            if peek() == "-", peek(1) != "]", peek(1) != nil, let start {
                position += 1
                let (end, endSet) = classAtom()
                set = set.union(
                    end.map { ExpressionCharacters(start...max(start, $0)) } ?? startSet.union(endSet))
            } else {
                set = set.union(startSet)
            }
        }
        position += 1
        return isInverted ? folded(set).inverted : folded(set)
    }

    /// Reads an atom of a class: the character, if it is a single one, and the set.
    private mutating func classAtom() -> (UInt32?, ExpressionCharacters) {
        guard let scalar = peek() else { return (nil, .none) }
        position += 1
        guard scalar == "\\" else { return (scalar.value, ExpressionCharacters(scalar.value)) }
        if take("b") { return (8, ExpressionCharacters(8)) }
        if let kind = peek(), "dDwWsSpP".unicodeScalars.contains(kind) { return (nil, escapedSet() ?? .all) }
        let character = escapedCharacter() ?? 0x5C
        return (character, ExpressionCharacters(character))
    }
}
