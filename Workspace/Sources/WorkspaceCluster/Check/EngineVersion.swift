import WorkspaceCore
import WorkspaceServer

/// The version of a server: numbers with points between them. Text after the numbers is ignored.
struct EngineVersion: Comparable, Sendable {
    private let numbers: [Int]

    /// Nil when the text does not begin with a number.
    init?(_ text: String) {
        var numbers: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false).prefix(4) {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits) else { break }
            numbers.append(number)
            guard digits.count == part.count else { break }
        }
        guard !numbers.isEmpty else { return nil }
        self.numbers = numbers
    }

    var main: Int { numbers[0] }

    static func < (left: EngineVersion, right: EngineVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
