import Testing

@testable import Tributary

@Suite("Numbers on systems whose Int has 32 bits")
struct NumberClampingTests {
    @Test(
        "A number that is too large becomes the largest one",
        arguments: [
            (1e12, Int32.max), (-1e12, .min), (.infinity, .max), (-.infinity, .min), (2_147_483_647, .max),
            (2_147_483_648, .max), (-2_147_483_648, .min), (1.9, 1), (-1.9, -1), (0, 0),
        ])
    func narrow(value: Double, expected: Int32) { #expect(Int32(clamping: value) == expected) }

    @Test("A value that is not a number becomes 0") func noNumber() { #expect(Int(clamping: Double.nan) == 0) }

    @Test("The largest integers are clamped exactly") func wide() {
        #expect(Int64(clamping: 1e300) == .max)
        #expect(Int64(clamping: 9.3e18) == .max)
        #expect(Int64(clamping: 1e12) == 1_000_000_000_000)
    }
}
