import ArgumentParser
import TributaryJSON

/// A share of devices or events on the command line: `0.5%`, or `0.005`.
struct Share: ExpressibleByArgument, Equatable {
    /// From 0 up; 1 means all.
    let value: Double

    init?(argument: String) {
        let isPercentage = argument.hasSuffix("%")
        guard let number = Double(isPercentage ? String(argument.dropLast()) : argument), number.isFinite, number >= 0
        else { return nil }
        value = isPercentage ? number / 100 : number
    }
}

/// The stages of a roll-out on the command line: `1%,10%,50%,100%`.
struct Stages: ExpressibleByArgument, Equatable {
    let percentages: [Int]

    init?(argument: String) {
        let texts = argument.split(separator: ",", omittingEmptySubsequences: false)
        percentages = texts.compactMap { Int($0.hasSuffix("%") ? $0.dropLast() : $0) }
        guard !texts.isEmpty, percentages.count == texts.count else { return nil }
    }
}

/// A time on the command line: `90s`, `30m`, `12h` or `2d`.
struct Span: ExpressibleByArgument, Equatable {
    let seconds: Int

    private static let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Self.units[String($0)] }), let number = Int(argument.dropLast()),
            (0...1_000_000_000).contains(number)
        else { return nil }
        seconds = number * unit
    }
}
