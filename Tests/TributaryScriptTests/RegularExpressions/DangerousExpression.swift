/// A regular expression by chance that takes very long on one kind of text, with that text and with texts that are harmless.
struct DangerousExpression: CustomStringConvertible {
    let pattern: String
    let flags: String
    /// The text on which it takes very long: `prefix`, then `pump` many times, then `end`.
    let prefix: String
    let pump: String
    let turns: Int
    let end: String
    /// A short text that it matches.
    let match: String
    /// An expression of the same parts that takes linear time, and a long text that it matches.
    let harmless: (pattern: String, text: String)
    let isExponential: Bool

    var description: String { "/\(pattern)/\(flags)" }

    /// What matches one character.
    private struct Atom {
        let source: String
        let character: String
        /// Whether it also matches commas and exclamation marks.
        var isWide = false
        var flag = ""
    }

    /// X is the repeated atom.
    private static let exponential = [
        "(X+)+", "(X*)*", "(?:X|X)+", "(?:X|XX)+", "(X+X?)+", "(?:X*)+", "(?:X+?)+?", "(?:X{1,3})+", "((X|%)+%?)*",
        "(?:(?=X)X+)+",
        "(?:X+(?:-X+)?)+", "(?<name>X+)*", "(?:(X)|X)+", "(X)(?:\\1|X)+", "(?:(?!#)X+)+", "(?:X{2,}|X)+",
        "(?:(?:X+)?X)*", "(?:X*X)*?",
    ]
    private static let polynomial = [
        "X*X*", "X+X+X+", "X*[^!]*X*", "(X*)(X*)(X*)(X*)", "X+%?X+", "(X+)\\1", "X*?X*?X", "(?:X|%)*X*", "X*(?:%?X)*",
        "X+(?:X+)?",
    ]
    private static let prefixes = [
        ("", ""), ("^", ""), ("foo", "foo"), ("(?:foo)?", "foo"), ("[?&]", "?"), ("(?=.)", ""), ("(?!#)", ""),
        ("(?<=^)", ""),
        ("(?:y|z)?", "z"), ("(?<![^])", ""),
    ]
    private static let tails = [("#", "#"), ("[#%]", "%"), ("#$", "#"), ("(?=#)", "#"), ("(?:#|~)+", "#~"), ("$", "")]
    private static let flags = ["", "", "i", "s", "m", "g", "gi", "ims"]

    private static func atom(_ random: inout ExpressionChance) -> Atom {
        let letters = Array("abcdefghijklm").map(String.init)
        let (one, other) = (letters[random.below(13)], letters[random.below(13)])
        return [
            Atom(source: one, character: one), Atom(source: "[\(one)\(other)]", character: one),
            Atom(source: "[\(one)-z]", character: one), Atom(source: "\\w", character: one),
            Atom(source: "\\d", character: "7"), Atom(source: "\\s", character: " "),
            Atom(source: "[\\t ]", character: " "),
            Atom(source: "\\x62", character: "b"), Atom(source: "\\u{63}", character: "c", flag: "u"),
            Atom(source: ".", character: one, isWide: true), Atom(source: "[^#]", character: one, isWide: true),
            Atom(source: "\\S", character: other, isWide: true), Atom(source: "é", character: "é"),
            Atom(source: "\\p{L}", character: one, isWide: true, flag: "u"),
            Atom(source: "😀", character: "😀", flag: "u"),
            Atom(source: "[\\w--\\d]", character: other, isWide: true, flag: "v"),
        ][random.below(16)]
    }

    init(_ random: inout ExpressionChance) {
        let atom = Self.atom(&random)
        isExponential = random.below(3) > 0
        let families = isExponential ? Self.exponential : Self.polynomial
        let family = families[random.below(families.count)].replacing("X", with: atom.source)
        let start = Self.prefixes[random.below(Self.prefixes.count)]
        // What a wide atom matches can also be the end of the text.
        let tail = Self.tails[random.below(atom.isWide ? Self.tails.count - 1 : Self.tails.count)]
        pattern = start.0 + family + tail.0
        flags = Self.flags[random.below(Self.flags.count)] + atom.flag
        (prefix, pump, end) = (start.1, atom.character, "!")
        // Without a bound, hours.
        turns = isExponential ? 80 + random.below(80) : 500_000
        match = prefix + String(repeating: pump, count: 4) + tail.1
        harmless = Self.harmless(atom, start: start, tail: tail, random.below(4))
    }

    private static func harmless(
        _ atom: Atom, start: (String, String), tail: (String, String), _ choice: Int
    ) -> (String, String) {
        let form = atom.isWide ? "X*" : ["(?:X+,)+", "(?:X|,)*", "X+(?:,X*)*", "(?:X{2},)*"][choice]
        let anchor = start.0.hasPrefix("^") ? "" : "^"
        return (
            anchor + start.0 + form.replacing("X", with: atom.source) + tail.0,
            start.1 + String(repeating: atom.character + atom.character + (atom.isWide ? "" : ","), count: 5_000)
                + tail.1
        )
    }

    /// The text on which it takes long, with another number of turns.
    func attack(_ turns: Int) -> String { prefix + String(repeating: pump, count: turns) + end }
}
