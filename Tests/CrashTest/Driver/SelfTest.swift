import Dispatch
import Foundation
import Tributary

/// Breaks the client on purpose and sees whether the driver notices, and that it does not without a fault.
struct SelfTest {
    let seed: UInt64
    let folder: String
    let executable: String

    private static let rounds = 6
    /// Chance can hide a fault for some rounds: a purge near their end excuses most of what is missing, and what never
    /// reached a file is lost only where its process dies before it has passed it on. It does not so in each of these.
    private static let tries = 10

    /// Prints a line for each fault; true when all were judged rightly.
    func run() throws -> Bool {
        let faults = [nil] + Sabotage.allCases.map(Optional.some)
        let results = LockBox([Int: Result<Verdict, any Error>]())
        // Side by side, because most of it is waiting for nothing more to come.
        let group = DispatchGroup()
        for (index, sabotage) in faults.enumerated() {
            group.enter()
            Thread.detachNewThread { [self] in
                let result = Result { try verdict(on: sabotage) }
                results.withLock { $0[index] = result }
                group.leave()
            }
        }
        group.wait()
        var isRight = true
        for (index, sabotage) in faults.enumerated() {
            guard let verdict = try results.withLock({ $0[index] })?.get() else { continue }
            let isNoticed = Self.isRight(verdict, for: sabotage) && Self.isAlone(verdict, sabotage)
            print("\(isNoticed ? "right" : "WRONG"): \(Self.name(sabotage)): \(verdict.summary)")
            if !isNoticed { for problem in verdict.problems.prefix(20) { print("  \(problem.text)") } }
            isRight = isRight && isNoticed
        }
        return isRight
    }

    /// Of the first rounds that notice the fault, else of the last try; without a fault, of the only one.
    private func verdict(on sabotage: Sabotage?) throws -> Verdict {
        var attempt = 1
        while true {
            let verdict = try driver(sabotage, attempt).run()
            let isEnd = sabotage == nil || attempt == Self.tries || !Self.isAlone(verdict, sabotage)
            if isEnd || Self.isRight(verdict, for: sabotage) { return verdict }
            attempt += 1
        }
    }

    private func driver(_ sabotage: Sabotage?, _ attempt: Int) -> Driver {
        Driver(
            rounds: Self.rounds, seed: seed &+ UInt64(attempt - 1),
            folder: "\(folder)/\(Self.name(sabotage))-\(attempt)", executable: executable,
            sabotage: sabotage, quiet: Self.quiet(sabotage), isQuiet: true)
    }

    /// Seconds without anything new until a world that lacks something is at its end. Where something has to be missing,
    /// that is longer than the harness's clock makes the time between two looks for queues; where nothing may be, it is
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

    /// Nothing is wrong that the fault does not explain.
    private static func isAlone(_ verdict: Verdict, _ sabotage: Sabotage?) -> Bool {
        // What one process drops by its count, the next may let through when it takes the same events up again. What vanished
        // from the outbox and is still in the inbox is made again by the next process: late, but not lost.
        let mayReorder = sabotage == .batchesTurned || sabotage == .eventsDropped || sabotage == .outboxWritesVanish
        return (mayReorder || verdict.reordered == 0) && (sabotage == .idsChange || verdict.duplicated == 0)
    }
}
