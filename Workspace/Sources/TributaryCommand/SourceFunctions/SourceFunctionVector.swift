import Foundation
import Logging
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// A test of a source function: settings, a request, and the events that it makes of it.
struct SourceFunctionVector {
    let name: String
    let settings: JSONObject
    let secrets: [String: String]
    /// Milliseconds since 1970 at which the request comes.
    let now: Int64
    let headers: [String: String]
    let query: [String: String]
    let body: [UInt8]
    /// Whether the request gets the signature of its service.
    let isSigned: Bool
    /// The events; nil when the request is refused.
    let events: [JSON]?
    /// The status of the answer.
    let status: Int
    /// A part of the text of the refusal.
    let error: String?

    private static let members = [
        "name", "settings", "secrets", "now", "request", "signed", "events", "status", "error",
    ]

    /// The vectors in a file.
    static func list(_ file: String) throws(Failure) -> [SourceFunctionVector] {
        guard let list = try InputFile.json(file).elements, !list.isEmpty else {
            throw Failure("\(file.printable) is no list of vectors, each with a request and events")
        }
        return try list.enumerated().map { number, json throws(Failure) in
            try SourceFunctionVector(json, number: number, file: file)
        }
    }

    private init(_ json: JSON, number: Int, file: String) throws(Failure) {
        func fail(_ what: String) -> Failure { Failure("\(file.printable) [\(number)]: \(what)") }
        guard let object = json.objectValue else { throw fail("it is no object") }
        if let stranger = object.first(where: { !Self.members.contains($0.key) }) {
            throw fail("a vector has no \(stranger.key.printable); it has \(Self.members.joined(separator: ", "))")
        }
        guard let request = json["request"]?.objectValue, let body = request["body"] else {
            throw fail("it has a request, an object with a body")
        }
        if let stranger = request.first(where: { !["headers", "query", "body"].contains($0.key) }) {
            throw fail("a request has no \(stranger.key.printable); it has headers, query and body")
        }
        let texts = { (json: JSON?) in
            Dictionary((json?.objectValue ?? [:]).compactMap { name, value in value.stringValue.map { (name, $0) } }) {
                $1
            }
        }
        name = json["name"]?.stringValue ?? "vector \(number)"
        (settings, secrets) = (json["settings"]?.objectValue ?? [:], texts(json["secrets"]))
        (headers, query) = (texts(request["headers"]), texts(request["query"]))
        // A body that is no text is sent as JSON.
        self.body = body.stringValue.map { Array($0.utf8) } ?? body.encoded()
        isSigned = json["signed"]?.boolValue ?? false
        (events, error) = (json["events"]?.elements, json["error"]?.stringValue)
        status = json["status"]?.intValue ?? 200
        guard (events == nil) == (status != 200) else {
            throw fail("it has events, a list, or the status of a refusal, such as 401")
        }
        guard let given = json["now"] else {
            now = Int64(Date().timeIntervalSince1970 * 1_000)
            return
        }
        guard let time = given.stringValue.flatMap(EventTime.milliseconds) else {
            throw fail("now is a time such as 2026-11-20T10:00:00.000Z")
        }
        now = time
    }
}

/// Runs vectors in the process that runs source functions for a server.
struct SourceFunctionVectorRun {
    let code: String
    let style: OutputStyle

    /// What the server would answer, and store.
    private struct Answer {
        var status = 200
        var error: String?
        var events: [JSON] = []
    }

    /// The lines that show what is different from the vector; none when it passed.
    func differences(_ vector: SourceFunctionVector) async throws(Failure) -> [String] {
        let answer = try await answer(vector)
        let text = answer.error.map { ": \($0.printable)" } ?? ""
        guard answer.status == vector.status else {
            return ["  expected the status \(vector.status), got \(answer.status)\(text)"]
        }
        if let error = vector.error, answer.error?.contains(error) != true {
            return [
                "  expected an error with  \(error.printable)",
                "  got                     \(answer.error?.printable ?? "")",
            ]
        }
        guard let expected = vector.events, expected != answer.events else { return [] }
        return ["  events: - expected, + got"]
            + style.difference(.array(expected), .array(answer.events)).map { "  " + $0 }
    }

    private func answer(_ vector: SourceFunctionVector) async throws(Failure) -> Answer {
        guard let program = Bundle.main.executablePath else { throw Failure("this program does not know its own path") }
        var run: SourceFunctionRun
        do throws(Refusal) {
            let settings = try SourceFunctionSettings(["code": .string(code), "settings": .object(vector.settings)])
            run = try await SourceFunctionRun(
                FunctionWorker.Program(path: program, label: "test"), settings, secrets: vector.secrets,
                logger: Logger(label: "tributary"))
        } catch {
            return Answer(status: error.statusCode, error: error.message)
        }
        var request = HookRequest(headers: vector.headers, query: vector.query, body: vector.body)
        if vector.isSigned {
            do {
                (request, run) = try run.signed(request, now: vector.now)
            } catch {
                throw Failure("the request of \(vector.name.printable) cannot be signed: \(error)")
            }
        }
        do throws(Refusal) {
            switch try await run.outcome(of: try await run.checked(request, now: vector.now)) {
            case .events(let events): return Answer(events: events)
            case .refused(let reason): return Answer(status: 400, error: reason)
            case .later(let reason), .failed(let reason): return Answer(status: 503, error: reason)
            }
        } catch {
            return Answer(status: error.statusCode, error: error.message)
        }
    }
}
