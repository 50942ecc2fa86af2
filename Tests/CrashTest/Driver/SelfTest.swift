/// Breaks the client on purpose and sees whether the driver notices.
struct SelfTest {
    let seed: UInt64
    let folder: String
    let executable: String

    /// Prints a line for each fault; true when all were judged rightly.
    func run() throws -> Bool {
        var isRight = true
        for sabotage in Sabotage.allCases {
            let driver = Driver(
                rounds: 3, seed: seed, folder: folder + "/" + sabotage.rawValue, executable: executable,
                sabotage: sabotage, isQuiet: true)
            let verdict = try driver.run()
            let isNoticed = Self.isRight(verdict, for: sabotage)
            print("\(isNoticed ? "right" : "WRONG"): \(sabotage.rawValue): \(verdict.summary)")
            isRight = isRight && isNoticed
        }
        return isRight
    }

    private static func isRight(_ verdict: Verdict, for sabotage: Sabotage) -> Bool {
        switch sabotage {
        case .inboxWritesVanish, .outboxWritesVanish, .eventsDropped, .callsSkipped: verdict.lost > 0
        case .idsChange: verdict.duplicated > 0
        case .batchesTurned: verdict.reordered > 0
        case .confirmationsVanish: verdict.isGood && verdict.repetitions > 0
        }
    }
}
