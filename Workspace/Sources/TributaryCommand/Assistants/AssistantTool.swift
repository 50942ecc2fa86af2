import Foundation
import TributaryJSON

/// A question to the API that an assistant can ask.
struct AssistantTool: Sendable {
    /// The requests of a tool. None of them changes the workspace.
    enum Question: Sendable {
        /// Reads the address; all arguments are its query.
        case read(String)
        /// Waits for the end of a search through many events; all arguments are its query. The answer is its result.
        case search(String)
        /// Reads an event, and what became of it.
        case event
        /// Tries something on stored events of a source: the address below the source, the argument that is the body,
        /// and the type of the body.
        case trial(String, body: String, type: String)
    }

    let name: String
    let title: String
    let about: String
    let parameters: [ToolParameter]
    let question: Question

    /// As the list of tools has it.
    var description: JSON {
        let properties = JSONObject(members: parameters.map { ($0.name, $0.schema) })
        let required = parameters.filter(\.isRequired).map { JSON.string($0.name) }
        return [
            "name": .string(name), "title": .string(title), "description": .string(about),
            "inputSchema": [
                "type": "object", "properties": .object(properties), "required": .array(required),
                "additionalProperties": false,
            ],
            "annotations": ["title": .string(title), "readOnlyHint": true, "openWorldHint": false],
        ]
    }

    /// - Returns: the answers of the API as they came, or the reason why there is none.
    func run(_ values: JSONObject, _ client: AdministrationClient) async -> (texts: [String], isError: Bool) {
        do throws(Failure) {
            let arguments = try ToolArguments(values, parameters, of: name)
            if case .search(let path) = question { return ([try await Self.result(path, arguments, client)], false) }
            var texts: [String] = []
            for request in try requests(arguments, client) {
                let answer = try await request.answer()
                let text = try Self.text(answer)
                guard answer.isSuccess else { return ([text], true) }
                texts.append(text)
            }
            return (texts, false)
        } catch {
            return ([error.description], true)
        }
    }

    /// A request to the API.
    private struct Request {
        let client: AdministrationClient
        var method = "GET"
        var path = ""
        var query: [URLQueryItem] = []
        var body: (content: Data, type: String)?

        func answer() async throws(Failure) -> AdministrationClient.Answer {
            try await client.exchange(method, path, query: query, body: body)
        }
    }

    private func requests(_ arguments: ToolArguments, _ client: AdministrationClient) throws(Failure) -> [Request] {
        switch question {
        case .read(let path): return [Request(client: client, path: path, query: arguments.query())]
        case .search: return []
        case .event:
            let event = try client.below("api/events", named: arguments.text("messageId"))
            return [Request(client: event), Request(client: client, path: "api/consent", query: arguments.query())]
        case .trial(let path, let body, let type):
            let source = try client.below("api/sources", named: arguments.text("writeKey"))
            let query = arguments.query(without: ["writeKey", body])
            return [
                Request(
                    client: source, method: "POST", path: path, query: query, body: (arguments.body(body), type))
            ]
        }
    }

    private static func result(
        _ path: String, _ arguments: ToolArguments, _ client: AdministrationClient
    ) async throws(Failure) -> String {
        do {
            return try await client.searched(path, query: arguments.query()).description
        } catch {
            throw error as? Failure ?? Failure("\(error)".printable)
        }
    }

    private static func text(_ answer: AdministrationClient.Answer) throws(Failure) -> String {
        guard answer.body.count <= AssistantLimits.answerBytes else {
            throw Failure(
                "the answer has \(answer.body.count.grouped) bytes, and a tool answers with at most "
                    + "\(AssistantLimits.answerBytes.grouped); ask for less, such as with a lower limit")
        }
        do throws(JSONError) {
            _ = try JSON.parse([UInt8](answer.body))
        } catch {
            throw Failure("the server's answer is not that of a workspace: status \(answer.status)")
        }
        return String(decoding: answer.body, as: UTF8.self)
    }
}
