import Foundation

/// What the command line asks for. scripts/crash-test explains the options; only the driver starts clients.
///
/// Exit codes: 0 when nothing is missing, twice there or out of order; 1 when something is, or a client crashed or hung; 64
/// for a wrong command line. A failure leaves a folder with the plans, ledgers, outputs and storage of its clients.
enum Command {
    /// A command line that cannot be understood.
    struct Mistake: Error {
        let message: String
    }

    case client(plan: String)
    case rounds(Options)
    case selfTest(Options)

    struct Options {
        /// Rounds, each with two client processes.
        var rounds = 100
        /// What is drawn follows from it; what the machine does meanwhile does not.
        var seed = UInt64.random(in: 1...999_999)
        /// Keep the folder also when all is well.
        var keep = false
        /// Where to work; it is made.
        var folder: String?

        var place: String {
            folder ?? NSTemporaryDirectory() + "/crash-test-\(seed)-\(ProcessInfo.processInfo.processIdentifier)"
        }
    }

    init(arguments: [String]) throws {
        if arguments.count == 2, arguments[0] == "client" {
            self = .client(plan: arguments[1])
            return
        }
        var options = Options()
        var isSelfTest = false
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--keep": options.keep = true
            case "--self-test": isSelfTest = true
            case "--rounds": options.rounds = try Self.number(rest.popFirst(), of: name)
            case "--seed": options.seed = try Self.number(rest.popFirst(), of: name)
            case "--folder":
                guard let folder = rest.popFirst() else { throw Mistake(message: "--folder needs a value") }
                options.folder = folder
            default: throw Mistake(message: "unknown option \(name)")
            }
        }
        self = isSelfTest ? .selfTest(options) : .rounds(options)
    }

    private static func number<Number: FixedWidthInteger>(_ text: String?, of name: String) throws -> Number {
        guard let number = text.flatMap({ Number($0) }) else { throw Mistake(message: "\(name) needs a number") }
        return number
    }

    /// Whether all is well.
    func run() throws -> Bool {
        let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
        switch self {
        case .client(let plan):
            let plan = try JSONDecoder().decode(LifePlan.self, from: Data(plan.utf8))
            guard let ledger = Ledger(plan.ledger) else { throw Mistake(message: "the ledger cannot be written") }
            CrashClient(plan, ledger: ledger).run()
        case .rounds(let options):
            return try Self.work(options) { folder in
                let driver = Driver(rounds: options.rounds, seed: options.seed, folder: folder, executable: executable)
                return try Self.check(driver)
            }
        case .selfTest(let options):
            return try Self.work(options) { folder in
                try SelfTest(seed: options.seed, folder: folder, executable: executable).run()
            }
        }
    }

    private static func work(_ options: Options, _ run: (String) throws -> Bool) throws -> Bool {
        let folder = options.place
        print("crash-test: seed \(options.seed), folder \(folder)")
        let isGood = try run(folder)
        if isGood, !options.keep { try? FileManager.default.removeItem(atPath: folder) }
        return isGood
    }

    private static func check(_ driver: Driver) throws -> Bool {
        let verdict = try driver.run()
        print(verdict.details)
        if !verdict.isGood { print("kept: \(driver.folder) (seed \(driver.seed))") }
        print(verdict.summary)
        return verdict.isGood
    }
}
