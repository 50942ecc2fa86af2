import Foundation
import Testing

@testable import Tributary

@Suite("The accounts of events")
struct AccountsTests {
    /// The number of histories. More can be played with TRIBUTARY_HISTORIES=200, from TRIBUTARY_FIRST_HISTORY on.
    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["TRIBUTARY_FIRST_HISTORY"].flatMap(UInt64.init) ?? 0
        return first..<first + (environment["TRIBUTARY_HISTORIES"].flatMap(UInt64.init) ?? 12)
    }()

    @Test("Each tracked event is delivered, waits, or counts as one named loss, whatever happens")
    func histories() async throws {
        var ends: Set<String> = []
        for seed in Self.seeds {
            var history = try History(seed: seed)
            await history.run(steps: 60)
            #expect(history.breaches == [], "seed \(seed): \(history.log.joined(separator: "; "))")
            ends.formUnion(history.ends)
        }
        // Histories that never have a loss show nothing about it.
        for end in ["deleted", "refused", "dropped", "waiting", "too_large", "bytes_bound"] {
            #expect(ends.contains(end), "\(end)")
        }
    }
}
