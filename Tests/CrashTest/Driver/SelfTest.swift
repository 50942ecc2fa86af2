import Dispatch
import Foundation
import Tributary

/// Breaks the client on purpose and sees whether the driver notices, and that it does not without a fault.
struct SelfTest {
    let seed: UInt64
    let folder: String
    let executable: String

    /// Enough that chance alone hides no fault, whatever the seed.
    private static let rounds = 6

    /// Prints a line for each fault; true when all were judged rightly.
    func run() throws -> Bool {
        let faults = [nil] + Sabotage.allCases.map(Optional.some)
        let results = LockBox([Int: Result<Verdict, any Error>]())
        // Side by side, because most of it is waiting for nothing more to come.
        let group = DispatchGroup()
        for (index, sabotage) in faults.enumerated() {
            group.enter()
            Thread.detachNewThread { [self] in
                let result = Result { try driver(sabotage).run() }
                results.withLock { $0[index] = result }
                group.leave()
            }
        }
        group.wait()
        var isRight = true
        for (index, sabotage) in faults.enumerated() {
            guard let verdict = try results.withLock({ $0[index] })?.get() else { continue }
            let isNoticed = Self.isRight(verdict, for: sabotage)
            print("\(isNoticed ? "right" : "WRONG"): \(Self.name(sabotage)): \(verdict.summary)")
            if !isNoticed { for problem in verdict.problems.prefix(20) { print("  \(problem.text)") } }
            isRight = isRight && isNoticed
        }
        return isRight
    }

    private func driver(_ sabotage: Sabotage?) -> Driver {
        Driver(
            rounds: Self.rounds, seed: seed, folder: folder + "/" + Self.name(sabotage), executable: executable,
            sabotage: sabotage, quiet: Self.quiet(sabotage), isQuiet: true)
    }

    /// Seconds without anything new until a world that lacks something is at its end. Where something has to be missing,
    /// that is longer than the harness's clock makes the time between two looks for lanes; where nothing may be, it is
    /// never waited for.
    private static func quiet(_ sabotage: Sabotage?) -> Double {
        switch sabotage {
        case .inboxWritesVanish, .outboxWritesVanish, .eventsDropped, .callsSkipped: 9
        case nil, .idsChange, .batchesTurned, .confirmationsVanish: 40
        }
    }

    private static func name(_ sabotage: Sabotage?) -> String { sabotage?.rawValue ?? "no fault" }

    private static func isRight(_ verdict: Verdict, for sabotage: Sabotage?) -> Bool {
        switch sabotage {
        case nil: verdict.isGood
        case .inboxWritesVanish, .outboxWritesVanish, .eventsDropped, .callsSkipped: verdict.lost > 0
        case .idsChange: verdict.duplicated > 0
        case .batchesTurned: verdict.reordered > 0
        case .confirmationsVanish: verdict.isGood && verdict.repetitions > 0
        }
    }
}
