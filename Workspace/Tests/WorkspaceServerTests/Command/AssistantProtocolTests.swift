import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand

/// The lines of the server for assistants, which are the same for all tools. They need no workspace.
@Suite("The protocol of `tributary mcp`", .timeLimit(.minutes(30))) struct AssistantProtocolTests {
    /// Port 9 is that of the discard service, which no machine runs.
    private static let nowhere = "http://127.0.0.1:9"

    private static func meta(_ version: String) -> JSON {
        [
            "_meta": [
                "io.modelcontextprotocol/protocolVersion": .string(version),
                "io.modelcontextprotocol/clientCapabilities": [:],
            ]
        ]
    }

    @Test(
        "A client that begins with initialize gets its revision, or the newest one",
        arguments: [
            ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2025-11-25"), ("2099-01-01", "2025-11-25"), ("", "2025-11-25"),
        ])
    func handshake(asked: String, answered: String) async throws {
        let client = try AssistantClient(Self.nowhere)
        let hello = try await client.ask(
            "initialize",
            ["protocolVersion": .string(asked), "capabilities": [:], "clientInfo": ["name": "t", "version": "1"]])
        #expect(hello["jsonrpc"] == "2.0")
        #expect(hello["id"] == 1)
        #expect(hello["result"]?["protocolVersion"] == .string(answered))
        #expect(hello["result"]?["capabilities"] == ["tools": [:]])
        #expect(hello["result"]?["serverInfo"]?["name"] == "tributary")
        try client.send(["jsonrpc": "2.0", "method": "notifications/initialized"])
        let ping = try await client.ask("ping")
        #expect(ping == ["jsonrpc": "2.0", "id": 2, "result": [:]])
        let list = try await client.ask("tools/list")
        #expect(list["result"]?["tools"] != nil)
        #expect(list["result"]?["resultType"] == nil)
        #expect(try await client.ask("server/discover")["error"]?["code"] == -32_602)
        let outcome = try await client.end()
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
        #expect(outcome.errors == "")
    }

    @Test("A client that names its revision in each request needs no initialize")
    func stateless() async throws {
        let client = try AssistantClient(Self.nowhere)
        let discovered = try await client.ask("server/discover", Self.meta("2026-07-28"))
        #expect(discovered["result"]?["supportedVersions"] == ["2026-07-28"])
        #expect(discovered["result"]?["capabilities"] == ["tools": [:]])
        for answer in [discovered, try await client.ask("tools/list", Self.meta("2026-07-28"))] {
            #expect(answer["result"]?["resultType"] == "complete")
            #expect(answer["result"]?["cacheScope"] == "public")
            #expect(answer["result"]?["ttlMs"]?.intValue ?? -1 >= 0)
            let server = answer["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"]
            #expect(server?["name"] == "tributary")
        }
        var call = Self.meta("2026-07-28")
        call["name"] = "list_sources"
        let called = try await client.ask("tools/call", call)
        #expect(called["result"]?["resultType"] == "complete")
        #expect(called["result"]?["isError"] == true)

        let other = try await client.ask("tools/list", Self.meta("2099-01-01"))
        #expect(other["error"]?["code"] == -32_022)
        #expect(other["error"]?["data"] == ["supported": ["2026-07-28"], "requested": "2099-01-01"])
        let incomplete: JSON = ["_meta": ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]]
        #expect(try await client.ask("tools/list", incomplete)["error"]?["code"] == -32_602)
        #expect(try await client.ask("ping", Self.meta("2026-07-28"))["error"]?["code"] == -32_601)
        #expect(try await client.end().status == 0)
    }

    @Test("A client that neither begins nor names its revision is refused")
    func unannounced() async throws {
        let client = try AssistantClient(Self.nowhere)
        for method in ["tools/list", "tools/call", "server/discover"] {
            #expect(try await client.ask(method)["error"]?["code"] == -32_602, "\(method)")
        }
        #expect(try await client.ask("ping")["result"] == [:])
        _ = try await client.end()
    }

    @Test("Each listed tool has a schema, says that it only reads, and is listed in the same order each time")
    func list() async throws {
        let client = try await AssistantClient.begun(Self.nowhere)
        let list = try await client.ask("tools/list")
        let tools = try #require(list["result"]?["tools"]?.elements)
        #expect(
            tools.compactMap { $0["name"]?.stringValue } == [
                "list_sources", "list_events", "explain_event", "catalog", "count_events", "funnel", "retention",
                "find_people", "list_groups", "list_members", "list_drops", "list_rejected", "test_plugin",
                "plan_filter",
            ])
        for tool in tools {
            #expect(tool["inputSchema"]?["type"] == "object")
            #expect(tool["inputSchema"]?["additionalProperties"] == false)
            #expect(tool["annotations"]?["readOnlyHint"] == true)
            let properties = Set(tool["inputSchema"]?["properties"]?.objectValue?.keys ?? [])
            let required = tool["inputSchema"]?["required"]?.elements?.compactMap(\.stringValue) ?? ["?"]
            #expect(properties.isSuperset(of: required))
        }
        #expect(try await client.ask("tools/list")["result"] == list["result"])
        #expect(try await client.ask("tools/list", ["cursor": "x"])["error"]?["code"] == -32_602)
        _ = try await client.end()
    }

    private static func line(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(
        "A line that is no message is answered with the code of its fault, and the next line is read",
        arguments: [
            (line("{"), -32_700, JSON.null), (line("nonsense"), -32_700, .null), ([0xFF, 0xFE], -32_700, .null),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": "ping"} and more"#), -32_700, .null),
            (line("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"pi\u{0}ng\"}"), -32_700, .null),
            (line(String(repeating: "[", count: 100_000)), -32_700, .null),
            (line("[]"), -32_600, .null), (line(#"[{"jsonrpc": "2.0", "id": 7, "method": "ping"}]"#), -32_600, .null),
            (line("7"), -32_600, .null), (line("null"), -32_600, .null), (line("{}"), -32_600, .null),
            (line(#"{"id": 7, "method": "ping"}"#), -32_600, 7),
            (line(#"{"jsonrpc": "1.0", "id": "a", "method": "ping"}"#), -32_600, "a"),
            (line(#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#), -32_600, .null),
            (line(#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#), -32_600, .null),
            (line(#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#), -32_600, .null),
            (line(#"{"jsonrpc": "2.0", "id": 7}"#), -32_600, 7),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": 1}"#), -32_600, 7),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": []}"#), -32_602, 7),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": "resources/list"}"#), -32_601, 7),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": ""}"#), -32_601, 7),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": "initialize"}"#), -32_602, 7),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}"#), -32_602, 7),
            (line(#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "drop_all"}}"#), -32_602, 7),
            (
                line(
                    #"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "catalog", "arguments": []}}"#
                ), -32_602, 7
            ),
        ])
    func badLine(line: [UInt8], code: Int, id: JSON) async throws {
        let client = try await AssistantClient.begun(Self.nowhere)
        try client.send(line: line)
        let answer = try await client.next()
        #expect(answer["jsonrpc"] == "2.0")
        #expect(answer["id"] == id)
        #expect(answer["error"]?["code"]?.intValue == code, "\(answer)")
        #expect(answer["error"]?["message"]?.stringValue?.isEmpty == false)
        #expect(answer["result"] == nil)
        #expect(try await client.ask("ping")["result"] == [:])
        #expect(try await client.end().output == "")
    }

    @Test("A line beyond the limit is refused and skipped, without its content in memory")
    func longLine() async throws {
        let client = try await AssistantClient.begun(Self.nowhere)
        try client.send(line: [UInt8](repeating: UInt8(ascii: "["), count: AssistantLimits.lineBytes + 1))
        let answer = try await client.next()
        #expect(answer["error"]?["code"] == -32_600)
        #expect(answer["error"]?["message"] == "the line is longer than 8,388,608 bytes")
        #expect(try await client.ask("ping")["result"] == [:])
        _ = try await client.end()
    }

    @Test("Empty lines, unknown notifications, answers and cancellations of nothing are ignored")
    func ignored() async throws {
        let client = try await AssistantClient.begun(Self.nowhere)
        let lines = [
            "", "  \t", "\r", #"{"jsonrpc": "2.0", "method": "notifications/unknown", "params": {"a": 1}}"#,
            #"{"jsonrpc": "2.0", "id": 5, "result": {}}"#,
            #"{"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": "m"}}"#,
            #"{"jsonrpc": "2.0", "method": "notifications/cancelled"}"#,
            #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}"#,
        ]
        for line in lines { try client.send(line: Self.line(line)) }
        try client.send(line: Self.line("{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"method\": \"ping\"}\r"))
        #expect(try await client.next() == ["jsonrpc": "2.0", "id": "x", "result": [:]])
        #expect(try await client.end().output == "")
    }

    @Test("The end of the input ends the program, and its last line needs no end")
    func endOfInput() async throws {
        let input = Pipe()
        let run = try CommandRun(["mcp", "--server", Self.nowhere], input: input.fileHandleForReading)
        try input.fileHandleForWriting.write(contentsOf: Data(#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#.utf8))
        try input.fileHandleForWriting.close()
        let outcome = try await run.finished()
        #expect(outcome.status == 0)
        #expect(outcome.output == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")
        let silent = try await CommandRun.finish(["mcp", "--server", Self.nowhere])
        #expect(silent.status == 0)
        #expect(silent.output == "")
    }

    @Test("Lines are read whole, wherever their pieces end", arguments: 0..<4)
    func pieces(seed: Int) throws {
        let limit = 1_000
        var random = SeededNumbers(seed: UInt64(seed))
        let lines = (0..<200).map { _ in
            [UInt8](repeating: UInt8(ascii: "x"), count: Int.random(in: 0...limit + 200, using: &random))
        }
        let pipe = Pipe()
        let content = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
        Thread.detachNewThread {
            // The reader is still there, so the write cannot fail.
            try? pipe.fileHandleForWriting.write(contentsOf: content)
            try? pipe.fileHandleForWriting.close()
        }
        // The pipe would close its ends when it is released.
        withExtendedLifetime(pipe) {
            var reader = LineReader(pipe.fileHandleForReading.fileDescriptor, limit: limit)
            for line in lines.dropLast() { #expect(reader.next() == (line.count > limit ? .tooLong : .text(line))) }
            let last = lines[lines.count - 1]
            if !last.isEmpty { #expect(reader.next() == (last.count > limit ? .tooLong : .text(last))) }
            #expect(reader.next() == nil)
            #expect(reader.next() == nil)
        }
    }

    @Test("A command without a usable token file ends before it reads, with the reason on standard error")
    func badToken() async throws {
        let outcome = try await CommandRun.finish(["mcp", "--token-file", "/nowhere/token"])
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("Error: /nowhere/token cannot be read"))
    }
}
