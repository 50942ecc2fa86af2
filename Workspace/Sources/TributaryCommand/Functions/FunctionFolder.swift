import Foundation
import Logging
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// A folder with a destination function and its test vectors.
struct FunctionFolder {
    static let codeFile = "function.js"
    static let vectorsFile = "vectors.json"

    let code: String
    let vectors: [FunctionVector]

    init(_ path: String) throws(Failure) {
        code = try Self.code("\(path)/\(Self.codeFile)")
        let file = "\(path)/\(Self.vectorsFile)"
        guard let list = try InputFile.json(file).elements, !list.isEmpty else {
            throw Failure("\(file.printable) is no list of vectors, each with events and requests")
        }
        vectors = try list.enumerated().map { number, json throws(Failure) in
            try FunctionVector(json, number: number, file: file)
        }
    }

    /// The code in a file.
    static func code(_ path: String) throws(Failure) -> String {
        guard let text = String(validating: try InputFile.read(path), as: UTF8.self) else {
            throw Failure("\(path.printable) is not UTF-8")
        }
        return text
    }
}

/// A test of a function: settings, events, and the requests that it makes of them.
struct FunctionVector {
    let name: String
    let settings: JSONObject
    let events: [JSON]
    /// The requests; nil when an error is expected.
    let requests: [JSON]?
    /// A part of the text of the error.
    let error: String?
    /// The answers of the service to the requests, in their order: `status` and `body`.
    let answers: [JSON]
    /// What becomes of each event after these answers; nil when the vector has no answers.
    let outcomes: [JSON]?

    private static let members = ["name", "settings", "events", "requests", "error", "answers", "outcomes"]

    init(_ json: JSON, number: Int, file: String) throws(Failure) {
        func fail(_ what: String) -> Failure { Failure("\(file.printable) [\(number)]: \(what)") }
        guard let object = json.objectValue else { throw fail("it is no object") }
        if let stranger = object.first(where: { !Self.members.contains($0.key) }) {
            throw fail("a vector has no \(stranger.key.printable); it has \(Self.members.joined(separator: ", "))")
        }
        guard let events = json["events"]?.elements, !events.isEmpty else { throw fail("it has no events, a list") }
        name = json["name"]?.stringValue ?? "vector \(number)"
        settings = json["settings"]?.objectValue ?? [:]
        (self.events, requests, error) = (events, json["requests"]?.elements, json["error"]?.stringValue)
        guard (requests == nil) != (error == nil) else { throw fail("it has requests, a list, or error, a text") }
        do throws(Failure) {
            answers = try (json["answers"]?.elements ?? []).map(Self.answer)
        } catch {
            throw fail(error.description)
        }
        outcomes = json["outcomes"]?.elements
        guard (json["answers"] == nil) == (outcomes == nil), outcomes == nil || answers.count == requests?.count else {
            throw fail("it has an answer for each of its requests, and outcomes, a list with a text for each event")
        }
    }

    /// A body that is no text is sent as JSON.
    private static func answer(_ json: JSON) throws(Failure) -> JSON {
        guard let status = json["status"]?.intValue, 200...299 ~= status, let body = json["body"] else {
            throw Failure("an answer has a status from 200 to 299 and a body")
        }
        let text = body.stringValue ?? String(decoding: body.encoded(), as: UTF8.self)
        return ["status": .number(status), "body": .string(text)]
    }
}

/// Runs the vectors of a folder in the process that runs functions for a server.
struct FunctionVectorRun {
    /// The result of a vector; no lines when it passed.
    struct Verdict {
        let name: String
        let lines: [String]
    }

    let folder: FunctionFolder
    let style: OutputStyle

    func verdict(_ vector: FunctionVector) async throws(Failure) -> Verdict {
        guard let program = Bundle.main.executablePath else { throw Failure("this program does not know its own path") }
        let trial: FunctionTrial
        do throws(Refusal) {
            let settings = try FunctionSettings([
                "code": .string(folder.code), "settings": .object(vector.settings),
            ])
            trial = try await FunctionTrial(
                FunctionWorker.Program(path: program, label: "test"), settings, logger: Logger(label: "tributary"))
        } catch {
            return self.verdict(vector, requests: [], error: error.message)
        }
        var requests: [JSON] = []
        var outcomes: [String] = []
        for call in trial.calls(vector.events) {
            let events = call.map { $0.encoded() }
            let result = await trial.result(of: events)
            if let error = (result["error"] ?? result["later"])?.stringValue {
                return verdict(vector, requests: requests, error: error)
            }
            let made = result["requests"]?.elements ?? []
            outcomes += await trial.outcomes(
                of: events, answers: Array(vector.answers.dropFirst(requests.count).prefix(made.count)))
            requests += made
        }
        let verdict = verdict(vector, requests: requests, error: nil)
        guard let expected = vector.outcomes, verdict.lines.isEmpty else { return verdict }
        return Verdict(name: vector.name, lines: differences(expected, outcomes.map(JSON.string)))
    }

    private func differences(_ expected: [JSON], _ got: [JSON]) -> [String] {
        guard expected != got else { return [] }
        return ["  outcomes: - expected, + got"]
            + style.difference(.array(expected), .array(got)).map { "  " + $0 }
    }

    private func verdict(_ vector: FunctionVector, requests: [JSON], error: String?) -> Verdict {
        var lines: [String] = []
        switch (vector.error, error) {
        case (let expected?, let error?) where !error.contains(expected):
            lines = ["  expected an error with  \(expected.printable)", "  got                     \(error.printable)"]
        case (let expected?, nil):
            lines = [
                "  expected an error with  \(expected.printable)",
                "  got                     \(requests.count) requests",
            ]
        case (nil, let error?): lines = ["  \(error.printable)"]
        default: break
        }
        if vector.error == nil, error == nil {
            lines = requestDifferences(vector.requests ?? [], requests)
        }
        return Verdict(name: vector.name, lines: lines)
    }

    private func requestDifferences(_ expected: [JSON], _ got: [JSON]) -> [String] {
        var lines: [String] = []
        if expected.count != got.count {
            lines.append("  expected \(expected.count) requests, got \(got.count)")
        }
        for number in 0..<max(expected.count, got.count) {
            let wanted = expected.indices.contains(number) ? Self.comparable(expected[number]) : [:]
            let made = got.indices.contains(number) ? Self.comparable(got[number]) : [:]
            guard wanted != made else { continue }
            lines.append("  request \(number + 1): - expected, + got")
            lines += style.difference(wanted, made).map { "  " + $0 }
        }
        return lines
    }

    /// Names of headers are the same in capitals and small letters.
    private static func comparable(_ request: JSON) -> JSON {
        var request = request
        let headers = (request["headers"]?.objectValue ?? [:]).map { ($0.key.lowercased(), $0.value) }
        request["headers"] = .object(JSONObject(Dictionary(headers) { $1 }))
        if request["body"]?.isNull == true { request["body"] = Optional<JSON>.none }
        return request
    }
}
