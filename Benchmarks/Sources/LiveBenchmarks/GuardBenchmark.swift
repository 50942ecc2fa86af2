import Dispatch
import Measuring
@_spi(OwnScripts) import TributaryScript

/// What guards cost a script: a loop of 10,000 additions and 10,000 calls, with guards and, as the floor, without.
enum GuardBenchmark {
    struct Parameters: Decodable {
        let rounds: Int
    }

    private static let script = """
        function add(a, b) { return a + b }
        function work() {
            let sum = 0
            for (let i = 0; i < 10000; i++) { sum += i; sum = add(sum, i) }
            return sum
        }
        """
    private static let calls = 20

    static func run(_ parameters: Parameters) throws {
        let budget = ScriptBudget(seconds: 60, megabytes: 256)
        let guarded = try ScriptEngine(budget: budget)
        let plain = try ScriptEngine(budget: budget)
        try guarded.run(script, name: "work.js")
        try plain.runAsItIs(script, name: "work.js", seconds: 60)
        var times: (guarded: [Double], plain: [Double]) = ([], [])
        for _ in 0..<parameters.rounds {
            times.plain.append(try median(Self.times(plain)))
            times.guarded.append(try median(Self.times(guarded)))
        }
        try Measurement("script-guard", least(times.guarded), floor: least(times.plain), floors: times.plain)
            .report()
    }

    /// Microseconds of each call.
    private static func times(_ engine: ScriptEngine) throws -> [Double] {
        try (0..<calls).map { _ in
            let start = DispatchTime.now().uptimeNanoseconds
            try engine.call("work")
            return Double(DispatchTime.now().uptimeNanoseconds - start) / 1000
        }
    }
}
