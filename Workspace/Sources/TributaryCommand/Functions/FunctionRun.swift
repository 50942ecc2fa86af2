import Crypto
import Foundation
import TributaryJSON
@_spi(OwnScripts) import TributaryScript
import WorkspaceCore
import WorkspaceServer

/// Runs the code of a destination function or a source function, in the process that the server starts for it.
struct FunctionRun {
    /// Why the code cannot be used.
    struct Fault: Error, CustomStringConvertible {
        let message: String
        let line: Int?

        init(_ error: ScriptError) { (message, line) = (error.message, error.line) }

        var description: String { line.map { "\(FunctionRun.name), line \($0): \(message)" } ?? message }
    }

    private static let name = "function.js"
    /// Seconds that the server's own scripts may take, that the code may take while it is loaded, that an event may take,
    /// and that each event of a batch adds.
    private static let ownSeconds = 10.0
    private static let loadSeconds = 1.0
    private static let eventSeconds = 0.1
    private static let batchSeconds = 0.002
    private static let requestSeconds = 0.5

    let declaration: JSON
    private let engine: ScriptEngine
    private let function: ScriptFunction
    private let answered: ScriptFunction
    private let received: ScriptFunction

    /// Loads the code, and reads what its class declares.
    init(_ function: WorkerFunction) throws(Fault) {
        do {
            engine = try ScriptEngine()
            try engine.expose("__sha256") { arguments in
                .string(Self.digest(arguments.first?.text ?? ""))
            }
            try engine.runAsItIs(FunctionFiles.prelude, name: "prelude.js", seconds: Self.ownSeconds)
            let load = try engine.function("__function.load", name: "load.js")
            self.function = try engine.function("__function.call", name: "call.js")
            answered = try engine.function("__function.answered", name: "answered.js")
            received = try engine.function("__function.received", name: "received.js")
            let kind = function.kind == .source ? "source" : "destination"
            try engine.runAsItIs("__function.begin('\(kind)');", name: "begin.js", seconds: Self.ownSeconds)
            try engine.runAsItIs("delete globalThis.__function;", name: "end.js", seconds: Self.ownSeconds)
            try engine.run(function.source, name: Self.name, seconds: Self.loadSeconds)
            for name in Self.classes(of: function.kind, in: function.source) {
                let offer = "__tributary_offer(typeof \(name) === 'function' ? \(name) : undefined, '\(name)');"
                try engine.runAsItIs(offer, name: "offer.js", seconds: Self.ownSeconds)
            }
            let settings = String(decoding: function.settings.encoded(), as: UTF8.self)
            let answer = try engine.call(
                load, [.string(function.nonce), .json(settings)], seconds: Self.loadSeconds)
            declaration = try Self.json(answer)
        } catch {
            throw Fault(error)
        }
    }

    /// The result for an event or a batch: `requests`, `later`, or a `fault`.
    func answer(to events: [[UInt8]], isBatch: Bool) -> JSON {
        call(function, [Self.list(events), .bool(isBatch)], seconds: Self.seconds(isBatch ? events.count : 0))
    }

    /// The judgement of an answer of the service: `taken`, `refused`, `later`, or a `fault`.
    func judgement(of answer: JSON, events: [[UInt8]]) -> JSON {
        let answer = ScriptValue.json(String(decoding: answer.encoded(), as: UTF8.self))
        return call(answered, [answer, Self.list(events)], seconds: Self.seconds(events.count))
    }

    /// The result for a request of another service: `events`, `refused`, `later`, or a `fault`.
    func events(of request: JSON) -> JSON {
        let request = ScriptValue.json(String(decoding: request.encoded(), as: UTF8.self))
        return call(received, [request], seconds: Self.requestSeconds)
    }

    private func call(_ function: ScriptFunction, _ arguments: [ScriptValue], seconds: Double) -> JSON {
        do throws(ScriptError) {
            return try Self.json(try engine.call(function, arguments, seconds: seconds))
        } catch {
            return fault(error)
        }
    }

    private static func list(_ events: [[UInt8]]) -> ScriptValue {
        .json("[" + events.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "]")
    }

    private static func seconds(_ batch: Int) -> Double { eventSeconds + Double(batch) * batchSeconds }

    /// An error of the code comes again with the same event. Too much time or memory may not.
    private func fault(_ error: ScriptError) -> JSON {
        let isThrown = error.reason == .exception || error.reason == .badValue || error.reason == .refused
        return [
            "fault": ["message": .string(error.message), "line": error.line.map { .number($0) } ?? .null],
            "mayBeRepeated": .bool(!isThrown), "isOver": .bool(engine.state != .ready),
        ]
    }

    private static func json(_ answer: ScriptValue) throws(ScriptError) -> JSON {
        guard case .string(let text) = answer else {
            throw ScriptError(.badValue, "the function changed what the server's own script needs")
        }
        do throws(JSONError) {
            return try JSON.parse(text, limits: limits)
        } catch {
            throw ScriptError(.badValue, "what the function returned cannot be read: \(error)")
        }
    }

    private static let limits = JSONLimits(depth: 128, bytes: 32 << 20)

    private static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    /// The names of classes of which the text says that they extend the class of a kind. Some may be in a comment.
    private static func classes(of kind: WorkerFunction.Kind, in source: String) -> [String] {
        let direct = source.matches(of: /\bclass\s+([A-Za-z_$][A-Za-z0-9_$]*)\s+extends\s+([A-Za-z]+)\b/)
        let named = source.matches(
            of: /\b(?:const|let|var)\s+([A-Za-z_$][A-Za-z0-9_$]*)\s*=\s*class\b[^{]*\bextends\s+([A-Za-z]+)\b/)
        var names: [String] = []
        for match in direct + named where match.2 == kind.rawValue && !names.contains(String(match.1)) {
            names.append(String(match.1))
        }
        return names
    }
}
