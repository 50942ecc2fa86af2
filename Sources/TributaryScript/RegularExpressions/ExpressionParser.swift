/// Reads the pattern of a regular expression of JavaScript.
///
/// A construct that it does not know exactly, such as a property of Unicode, counts as any character. Patterns that no
/// engine accepts may be read in any way.
struct ExpressionParser {
    private let scalars: [UInt32]
    private let ignoresCase: Bool
    private let dotMatchesAll: Bool
    private var position = 0
    private var depth = 0

    /// Nil for a pattern that is nested too deeply or too long.
    static func node(of pattern: some StringProtocol, flags: some StringProtocol) -> ExpressionNode? {
        var parser = ExpressionParser(
            scalars: pattern.unicodeScalars.map(\.value), ignoresCase: flags.contains("i"),
            dotMatchesAll: flags.contains("s"))
        guard parser.scalars.count <= 2000, let node = parser.choice() else { return nil }
        return parser.position == parser.scalars.count ? node : nil
    }

    private init(scalars: [UInt32], ignoresCase: Bool, dotMatchesAll: Bool) {
        self.scalars = scalars
        self.ignoresCase = ignoresCase
        self.dotMatchesAll = dotMatchesAll
    }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? Unicode.Scalar(scalars[position + distance]) : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    private mutating func choice() -> ExpressionNode? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 50 else { return nil }
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
            guard let atom = atom() else { return nil }
            parts.append(quantified(atom))
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
            value = min((value ?? 0) * 10 + Int(scalar.value - 48), ExpressionNode.unlimited)
            position += 1
        }
        return value
    }

    private mutating func atom() -> ExpressionNode? {
        guard let scalar = peek() else { return nil }
        position += 1
        switch scalar {
        case "^", "$": return .nothing
        case ".": return .characters(dotMatchesAll ? .all : ExpressionCharacters.lineEnds.inverted)
        case "(": return group()
        case "[": return .characters(folded(characterClass()))
        case "\\": return escape()
        case "{":
            // A brace that is not a quantifier is a character.
            return .characters(ExpressionCharacters(scalar.value))
        default: return .characters(folded(ExpressionCharacters(scalar.value)))
        }
    }

    private func folded(_ set: ExpressionCharacters) -> ExpressionCharacters { ignoresCase ? set.anyCase : set }

    private mutating func group() -> ExpressionNode? {
        var looksAround = false
        if take("?") {
            if take("<") {
                looksAround = peek() == "=" || peek() == "!"
                if !looksAround { while let scalar = peek(), scalar != ">" { _ = take(scalar) } }
                position += 1
            } else {
                looksAround = peek() == "=" || peek() == "!"
                while let scalar = peek(), scalar != ":", !looksAround, scalar != ")" { _ = take(scalar) }
                position += 1
            }
        }
        guard let body = choice(), take(")") else { return nil }
        // Lookaround is matched by itself, and can take long by itself. It has no length.
        return looksAround ? .repetition(body, least: 0, most: 0) : body
    }

    private mutating func escape() -> ExpressionNode? {
        guard let scalar = peek() else { return nil }
        if scalar == "b" || scalar == "B" {
            position += 1
            return .nothing
        }
        if scalar == "k" || ("1"..."9").contains(scalar) {
            position += 1
            if scalar == "k" { while let next = peek(), next != ">" { _ = take(next) } }
            if scalar == "k" { position += 1 }
            return .repetition(.characters(.all), least: 0, most: 1)
        }
        return escapedSet().map { .characters(folded($0)) }
    }

    /// Reads the rest of an escape, in a class or outside.
    private mutating func escapedSet() -> ExpressionCharacters? {
        guard let scalar = peek() else { return nil }
        position += 1
        switch scalar {
        case "d": return .digits
        case "D": return ExpressionCharacters.digits.inverted
        case "w": return .word
        case "W": return ExpressionCharacters.word.inverted
        case "s": return .space
        case "S": return ExpressionCharacters.space.inverted
        case "n": return ExpressionCharacters(10)
        case "r": return ExpressionCharacters(13)
        case "t": return ExpressionCharacters(9)
        case "v": return ExpressionCharacters(11)
        case "f": return ExpressionCharacters(12)
        case "0": return ExpressionCharacters(0)
        case "x": return ExpressionCharacters(hexadecimal(2) ?? 0x78)
        case "u": return ExpressionCharacters(unicode())
        case "p", "P":
            if take("{") { while let next = peek() { if take("}") { break } else { _ = take(next) } } }
            return .all
        case "c":
            position += 1
            return ExpressionCharacters(1)
        default: return ExpressionCharacters(scalar.value)
        }
    }

    private mutating func unicode() -> UInt32 {
        guard take("{") else { return hexadecimal(4) ?? 0x75 }
        let value = hexadecimal(6) ?? 0x80
        _ = take("}")
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
        return isInverted ? set.inverted : set
    }

    /// Reads an atom of a class: the character, if it is a single one, and the set.
    private mutating func classAtom() -> (UInt32?, ExpressionCharacters) {
        guard let scalar = peek() else { return (nil, .none) }
        position += 1
        guard scalar == "\\" else { return (scalar.value, ExpressionCharacters(scalar.value)) }
        let kind = peek()
        if kind == "b" {
            position += 1
            return (8, ExpressionCharacters(8))
        }
        let set = escapedSet() ?? .none
        let isSingle = kind.map { !"dDwWsSpPxuc".unicodeScalars.contains($0) } ?? false
        return (isSingle ? kind?.value : nil, set)
    }
}
