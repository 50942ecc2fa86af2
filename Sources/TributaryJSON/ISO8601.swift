/// Timestamps of the protocol: `2026-11-21T01:41:17.439Z`, milliseconds, always UTC. No formatter, no locale.
public enum ISO8601 {
    /// Writes milliseconds since 1970 in the protocol's form. Years outside 0 to 9999 are clamped.
    public static func string(milliseconds: Int64) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            fill(text, milliseconds)
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Appends the 24 characters of a timestamp, without quotes.
    public static func write(milliseconds: Int64, into buffer: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            fill(text, milliseconds)
            buffer.append(contentsOf: text)
        }
    }

    /// Characters of a timestamp: `2026-11-21T01:41:17.439Z`.
    private static let length = 24

    private static func fill(_ text: UnsafeMutableBufferPointer<UInt8>, _ milliseconds: Int64) {
        let clamped = min(max(milliseconds, earliest), latest)
        let (days, millisecondOfDay) = floorDivide(clamped, 86_400_000)
        let (year, month, day) = civil(days: days)
        text.initialize(repeating: UInt8(ascii: "-"))
        text[10] = UInt8(ascii: "T")
        text[13] = UInt8(ascii: ":")
        text[16] = UInt8(ascii: ":")
        text[19] = UInt8(ascii: ".")
        text[23] = UInt8(ascii: "Z")
        digits(year, 0..<4, text)
        digits(month, 5..<7, text)
        digits(day, 8..<10, text)
        digits(millisecondOfDay / 3_600_000, 11..<13, text)
        digits(millisecondOfDay / 60_000 % 60, 14..<16, text)
        digits(millisecondOfDay / 1000 % 60, 17..<19, text)
        digits(millisecondOfDay % 1000, 20..<23, text)
    }

    private static func digits(_ value: Int64, _ places: Range<Int>, _ text: UnsafeMutableBufferPointer<UInt8>) {
        var rest = value
        for place in places.reversed() {
            text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Reads a timestamp with an optional fraction and `Z` or an offset; nil for anything else.
    ///
    /// Digits of the fraction beyond milliseconds are cut off. A leap second counts as the second after it.
    public static func milliseconds(_ text: String) -> Int64? {
        guard text.utf8.count <= longest else { return nil }
        var reader = Reader(bytes: Array(text.utf8))
        return reader.timestamp()
    }

    /// The longest text that is read. It has room for more digits of a fraction than any clock gives.
    private static let longest = 64
    /// The milliseconds that a timestamp can hold.
    static var range: ClosedRange<Int64> { earliest...latest }
    private static let earliest: Int64 = -62_167_219_200_000
    private static let latest: Int64 = 253_402_300_799_999

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let remainder = value % divisor
        return remainder < 0 ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
    }

    /// Converts days since 1970 to a Gregorian date. The year is taken to begin in March, so leap days come last.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097).0
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = floorDivide(shiftedYear, 400).0
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func timestamp() -> Int64? {
            guard let day = date(), take("T") || take("t") || take(" "), let second = secondOfDay() else { return nil }
            let fraction = take(".") ? fractionMilliseconds() : 0
            guard let fraction, let offset = offsetMinutes(), position == bytes.count else { return nil }
            return (day * 86_400 + second - offset * 60) * 1000 + fraction
        }

        /// Days since 1970.
        private mutating func date() -> Int64? {
            guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
                (1...12).contains(month), day >= 1
            else { return nil }
            let days = ISO8601.days(year: year, month: month, day: day)
            // A day that its month does not have counts into the next month, so it comes back as another date.
            guard ISO8601.civil(days: days) == (year, month, day) else { return nil }
            return days
        }

        private mutating func secondOfDay() -> Int64? {
            guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
                hour < 24, minute < 60, second <= 60
            else { return nil }
            return hour * 3600 + minute * 60 + second
        }

        private mutating func fractionMilliseconds() -> Int64? {
            var value: Int64 = 0
            var count = 0
            while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
                if count < 3 { value = value * 10 + Int64(bytes[position] - UInt8(ascii: "0")) }
                count += 1
                position += 1
            }
            guard count > 0 else { return nil }
            for _ in min(count, 3)..<3 { value *= 10 }
            return value
        }

        private mutating func offsetMinutes() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let sign: Int64 = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = number(2) else { return nil }
            _ = take(":")
            guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return sign * (hours * 60 + minutes)
        }

        private mutating func number(_ count: Int) -> Int64? {
            guard position + count <= bytes.count else { return nil }
            var value: Int64 = 0
            for offset in position..<position + count {
                let digit = bytes[offset] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int64(digit)
            }
            position += count
            return value
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }
    }
}
