import ArgumentParser
import Foundation

/// Kills clients and looks whether the server holds what they promised to deliver.
@main
struct CrashTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash-test",
        abstract: "Kills clients with SIGKILL and counts what is missing, twice there or out of order afterwards.",
        discussion: """
            Exit codes: 0 when nothing is; 1 when something is, or a client crashed or hung; 64 for a wrong command \
            line. A failure leaves a folder with the plans, ledgers, outputs and storage of its clients.
            """,
        subcommands: [Client.self])

    @Option(help: "Rounds, each with two client processes.")
    var rounds = 100

    @Option(help: "What is drawn follows from it; what the machine does meanwhile does not.")
    var seed: UInt64?

    @Flag(help: "Keep the folder also when all is well.")
    var keep = false

    @Option(help: "Where to work; it is made.")
    var folder: String?

    @Flag(help: "Break the client in several ways and see that each is noticed.")
    var selfTest = false

    func run() throws {
        let seed = seed ?? UInt64.random(in: 1...999_999)
        let folder =
            folder ?? NSTemporaryDirectory() + "/crash-test-\(seed)-\(ProcessInfo.processInfo.processIdentifier)"
        let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
        print("crash-test: seed \(seed), folder \(folder)")
        let isGood =
            try selfTest
            ? SelfTest(seed: seed, folder: folder, executable: executable).run()
            : check(Driver(rounds: rounds, seed: seed, folder: folder, executable: executable))
        if isGood, !keep {
            try? FileManager.default.removeItem(atPath: folder)
        }
        if !isGood { throw ExitCode(1) }
    }

    private func check(_ driver: Driver) throws -> Bool {
        let verdict = try driver.run()
        print(verdict.details)
        if !verdict.isGood { print("kept: \(driver.folder) (seed \(driver.seed))") }
        print(verdict.summary)
        return verdict.isGood
    }
}

extension CrashTest {
    /// A client process; only the driver starts it.
    struct Client: ParsableCommand {
        static let configuration = CommandConfiguration(shouldDisplay: false)

        @Argument(help: "The plan, as JSON.")
        var plan: String

        func run() throws {
            let plan = try JSONDecoder().decode(LifePlan.self, from: Data(plan.utf8))
            guard let ledger = Ledger(plan.ledger) else { throw ValidationError("the ledger cannot be written") }
            CrashClient(plan, ledger: ledger).run()
        }
    }
}
