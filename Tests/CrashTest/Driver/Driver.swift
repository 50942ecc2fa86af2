import Foundation

/// Runs worlds until there were enough rounds, and says what came out.
struct Driver {
    static let roundsPerWorld = 8

    let rounds: Int
    let seed: UInt64
    let folder: String
    let executable: String
    var sabotage: Sabotage?
    /// Seconds without anything new after which a world is taken to be at its end.
    var quiet = 40.0
    var isQuiet = false

    func run() throws -> Verdict {
        let server = try FaultyServer(seed: seed)
        let site = World.Site(
            folder: folder, executable: executable, server: server,
            clockStart: Int64(Date().timeIntervalSince1970 * 1000),
            sabotage: sabotage, quiet: quiet)
        var lifetimes = Lifetimes(seed: seed)
        var total = Verdict()
        var index = 0
        while total.rounds < rounds {
            let kind = kind(of: index)
            var world = try World(index: index, kind: kind, site: site)
            if !world.isPossible {
                if index == 2 { say("no right to mount a small disk: only injected errors stand for a full one") }
                world = try World(index: index, kind: .faulty, site: site)
            }
            let verdict = try world.run(rounds: min(Self.roundsPerWorld, rounds - total.rounds), &lifetimes)
            total.add(verdict)
            say(
                "round \(total.rounds) of \(rounds) (\(kind)): acknowledged \(verdict.acknowledged), "
                    + "in memory only \(verdict.memoryOnly), purged \(verdict.purged)")
            for problem in verdict.problems.prefix(20) { say("  \(problem.world): \(problem.text)") }
            if verdict.problems.count > 20 { say("  and \(verdict.problems.count - 20) more") }
            index += 1
        }
        return total
    }

    private func kind(of index: Int) -> World.Kind {
        switch index % 6 {
        case 1: .silentSettings
        case 2: .smallDisk
        default: .faulty
        }
    }

    private func say(_ text: String) {
        guard !isQuiet else { return }
        print(text)
        fflush(nil)
    }
}
