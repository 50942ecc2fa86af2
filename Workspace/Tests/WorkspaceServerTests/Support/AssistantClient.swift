import Foundation
import TributaryJSON
import WorkspaceCore

/// Talks with `tributary mcp` as an assistant does, a line for each message.
final class AssistantClient {
    struct Ended: Error {}

    private let input = Pipe()
    private let run: CommandRun
    private var count = 0

    /// Starts the program.
    init(_ url: String, token: String? = TestClient.token) throws {
        run = try CommandRun(["mcp", "--server", url], token: token, input: input.fileHandleForReading)
        try input.fileHandleForReading.close()
    }

    /// Starts the program and begins as older clients do.
    static func begun(_ url: String, token: String? = TestClient.token) async throws -> AssistantClient {
        let client = try AssistantClient(url, token: token)
        _ = try await client.ask("initialize", ["protocolVersion": "2025-11-25", "capabilities": [:]])
        try client.send(["jsonrpc": "2.0", "method": "notifications/initialized"])
        return client
    }

    func send(_ message: JSON) throws { try send(line: message.encoded()) }

    func send(line: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(line + [10])) }

    /// The next line of the program.
    func next() async throws -> JSON {
        guard let line = await run.line(after: "") else { throw Ended() }
        return try JSON.parse(line)
    }

    /// Sends a request, and returns the next message.
    func ask(_ method: String, _ parameters: JSON? = nil) async throws -> JSON {
        count += 1
        var message: JSON = ["jsonrpc": "2.0", "id": .number(count), "method": .string(method)]
        message["params"] = parameters
        try send(message)
        return try await next()
    }

    /// Calls a tool; returns the texts of its result, and whether it failed.
    func call(_ tool: String, _ arguments: JSON = [:]) async throws -> (texts: [String], isError: Bool) {
        let answer = try await ask("tools/call", ["name": .string(tool), "arguments": arguments])
        guard let result = answer["result"], let content = result["content"]?.elements else { throw Ended() }
        return (content.compactMap { $0["text"]?.stringValue }, result["isError"] == true)
    }

    /// Closes the input, and waits for the end of the program.
    func end() async throws -> CommandRun.Outcome {
        try input.fileHandleForWriting.close()
        return try await run.finished()
    }
}
