import Foundation
import Testing
import TributaryJSON

@Suite struct ISO8601Tests {
    @Test(
        "Times are written as ISO 8601 and read back",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_795_225_277_439, "2026-11-21T01:41:17.439Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"), (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-86_400_000, "1969-12-31T00:00:00.000Z"),
            (-62_162_035_200_000, "0000-03-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func times(milliseconds: Int64, text: String) {
        #expect(ISO8601.string(milliseconds: milliseconds) == text)
        #expect(ISO8601.milliseconds(text) == milliseconds)
    }

    @Test func timesBeyondTheRange_areClamped() {
        #expect(ISO8601.string(milliseconds: .max) == "9999-12-31T23:59:59.999Z")
        #expect(ISO8601.string(milliseconds: .min) == "0000-01-01T00:00:00.000Z")
    }

    /// Every day of four centuries and some more, against a count that knows only the rule for leap years.
    @Test("Every day has its ISO 8601 date, leap years included")
    func days() {
        var days: Int64 = -719_528  // 0000-01-01
        for year in [0...4, 1599...2001, 2099...2101, 9996...9999].joined() {
            days = daysBefore(year: year)
            let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in lengths.enumerated() {
                let prefix = pad(year, 4) + "-" + pad(month + 1, 2) + "-"
                for day in [1, 2, length - 1, length] {
                    let text = prefix + pad(day, 2) + "T12:34:56.789Z"
                    let expected = (days + Int64(day) - 1) * 86_400_000 + 45_296_789
                    #expect(ISO8601.milliseconds(text) == expected)
                    #expect(ISO8601.string(milliseconds: expected) == text)
                }
                #expect(ISO8601.milliseconds(prefix + pad(length + 1, 2) + "T00:00:00Z") == nil)
                days += Int64(length)
            }
        }
    }

    private func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    private func daysBefore(year: Int) -> Int64 {
        Int64((0..<year).reduce(-719_528) { $0 + (isLeap($1) ? 366 : 365) })
    }
    private func pad(_ value: Int, _ width: Int) -> String {
        String(repeating: "0", count: width - "\(value)".count) + "\(value)"
    }

    @Test(
        "Dates with offsets, spaces, short fractions and leap seconds are read",
        arguments: [
            ("2026-11-21T01:41:17Z", 1_795_225_277_000), ("2026-11-21T01:41:17.4Z", 1_795_225_277_400),
            ("2026-11-21T01:41:17.43Z", 1_795_225_277_430), ("2026-11-21T01:41:17.439999999Z", 1_795_225_277_439),
            ("2026-11-21T02:41:17.439+01:00", 1_795_225_277_439), ("2026-11-21T02:41:17.439+0100", 1_795_225_277_439),
            ("2026-11-20T19:56:17.439-05:45", 1_795_225_277_439), ("2026-11-21 01:41:17.439Z", 1_795_225_277_439),
            ("2026-11-21t01:41:17.439z", 1_795_225_277_439), ("2026-11-21T01:41:17-00:00", 1_795_225_277_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("1969-12-31T23:59:59.9Z", -100),
        ] as [(String, Int64)])
    func otherForms(text: String, expected: Int64) {
        #expect(ISO8601.milliseconds(text) == expected)
    }

    @Test(
        "A text that is no complete date and time with a zone is refused",
        arguments: [
            "", "2026", "2026-11-21", "2026-11-21T01:41:17", "2026-11-21T01:41Z", "2026-11-21T01:41:17.Z", "T01:41:17Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
            "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60",
            "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+", "2026-01-01T00:00:00Zx", " 2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00Z ", "2026-1-1T00:00:00Z", "+026-01-01T00:00:00Z", "-001-01-01T00:00:00Z",
            "12026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z", "2026-01-01T00:00:00,5Z", "2026-01-01X00:00:00Z",
            "2026-01-01T0a:00:00Z", "2026-01-01T00:00:00.5", "2026-01-01T00:00:00\0Z", "not a date", "1795225277439",
        ])
    func malformed(text: String) {
        #expect(ISO8601.milliseconds(text) == nil)
    }

    @Test("A truncated date is refused at every length")
    func truncations() {
        let text = "2026-11-21T02:41:17.439+01:00"
        for length in 0..<text.count { #expect(ISO8601.milliseconds(String(text.prefix(length))) == nil) }
    }

    @Test("A date with a million digits of fraction is refused")
    func longFraction() {
        let digits = String(repeating: "1", count: 1_000_000)
        #expect(ISO8601.milliseconds("2026-01-01T00:00:00.\(digits)Z") == nil)
    }

    @Test("A date has the same milliseconds before and after it was a Date of Foundation")
    func dates() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<5000 {
            let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            #expect(ISO8601.milliseconds(of: date) == milliseconds)
        }
        #expect(ISO8601.string(date: Date(timeIntervalSince1970: 0.4396)) == "1970-01-01T00:00:00.440Z")
    }

    @Test func datesBeyondTheRange_areClamped() {
        #expect(ISO8601.string(date: .distantFuture).hasPrefix("4001"))
        #expect(ISO8601.string(date: Date(timeIntervalSince1970: 1e300)) == "9999-12-31T23:59:59.999Z")
        #expect(ISO8601.string(date: Date(timeIntervalSince1970: -.infinity)) == "0000-01-01T00:00:00.000Z")
        #expect(ISO8601.string(date: Date(timeIntervalSince1970: .nan)).count == 24)
    }

    @Test("Writing a date appends to the buffer")
    func writing() {
        var buffer: [UInt8] = [0x22]
        ISO8601.write(milliseconds: 0, into: &buffer)
        #expect(buffer == Array("\"1970-01-01T00:00:00.000Z".utf8))
    }
}
