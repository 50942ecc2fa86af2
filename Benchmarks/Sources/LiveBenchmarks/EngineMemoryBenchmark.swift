import Foundation
import Measuring
import TributaryScript

/// What an engine that does nothing adds to the memory that a process has for itself. Run in a process of its own.
enum EngineMemoryBenchmark {
    struct Parameters: Decodable {}

    static func run(_ parameters: Parameters) throws {
        let before = ProcessMemory.privateMegabytes()
        let engine = try ScriptEngine()
        // A moment for what the engine begins by itself.
        usleep(200_000)
        let first = ProcessMemory.privateMegabytes()
        let second = try ScriptEngine()
        usleep(200_000)
        let both = ProcessMemory.privateMegabytes()
        try Measurement("script-engine-memory", first - before, details: ["second": both - first]).report()
        engine.close()
        second.close()
    }
}
