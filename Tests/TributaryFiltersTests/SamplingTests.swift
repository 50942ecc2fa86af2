import Testing
import TributaryJSON

@testable import TributaryFilters

@Suite struct SamplingTests {
    private func keeps(_ transformer: JSON, _ event: JSON, random: Double = 0) throws -> Bool {
        var event = event
        return try FilterTransformer(transformer).apply(to: &event, random: { random }) == .kept
    }

    @Test("Sampling without a path decides by the random number")
    func chance() throws {
        for path: JSON in [.null, ""] {
            #expect(try keeps(sample(0.3, path), sampleEvent, random: 0.29))
            #expect(try keeps(sample(0.3, path), sampleEvent, random: 0.3))
            #expect(try !keeps(sample(0.3, path), sampleEvent, random: 0.31))
        }
    }

    @Test("A share of 0 or less keeps no event, and a share of 1 or more keeps all")
    func noneAndAll() throws {
        for share: JSON in [0, -1, -0.5] { #expect(try !keeps(sample(share, "userId"), sampleEvent)) }
        for share: JSON in [1, 1.5, 100] { #expect(try keeps(sample(share), sampleEvent, random: 0.999)) }
    }

    @Test("A share is read as JavaScript would read it")
    func shares() throws {
        for share: JSON in ["0.5", true, " 0.5 ", "5e-1"] {
            #expect(try keeps(sample(share), sampleEvent, random: 0.5), "\(share)")
        }
        for share: JSON in [.null, false, "", "0", "half", [:], [0.5], "0x"] {
            #expect(try !keeps(sample(share), sampleEvent, random: 0), "\(share)")
            #expect(try !keeps(sample(share, "userId"), sampleEvent), "\(share)")
        }
    }

    /// Fractions from `md5` and integer arithmetic outside this repository.
    @Test(
        "Sampling by a path takes its fraction from the hash of the value",
        arguments: [
            (#""u-77""#, 0.9125355229903168),
            (#""user-1""#, 0.7170107421443237),
            (#"1"#, 0.7687112224818731),
            (#"-2.5"#, 0.24437849029810785),
            (#"0"#, 0.8117237399763632),
            (#"true"#, 0.6998093738613387),
            (#"false"#, 0.4084974673063115),
            (#"null"#, 0.21737895085312378),
            (#""""#, 0.6143403500407842),
            (#""żółw 🙂""#, 0.3656150977991988),
            (#"{"a":1,"b":[1,2]}"#, 0.5333747493053896),
            (#"[]"#, 0.8410864606345019),
            (#"undefined"#, 0.3684722387156422),
            (#""line\nbreak""#, 0.7945019288725048),
            (#""n9609""#, 8.038007830724697e-05),
            (#""n282""#, 0.0001953540029564584),
        ])
    func fractions(text: String, fraction: Double) throws {
        let value = text == "undefined" ? JSON?.none : try JSON.parse(text)
        #expect(Sampling.fraction(of: value) == fraction)
    }

    @Test("Sampling by a path keeps about the share that it names")
    func distribution() throws {
        for share in [0.05, 0.3, 0.5, 0.9] {
            let sampling = try FilterTransformer(sample(.number(try #require(JSONNumber(share))), "userId"))
            var kept = 0
            for number in 0..<4000 {
                var event: JSON = ["userId": .string("user-\(number)")]
                if try sampling.apply(to: &event) == .kept { kept += 1 }
            }
            #expect(abs(Double(kept) / 4000 - share) < 0.03)
        }
    }
}
