import Foundation
import Testing
import TributaryJSON
import TributaryPluginTestKit

/// Runs what conformance/README.md describes, as a device runs it and as the workspace does.
@Suite("Both places where live plugins run do what the conformance vectors say") struct ConformanceTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let events: [JSON]
        let loadError: Int?

        var testDescription: String { name }

        init(_ json: JSON) throws {
            name = try #require(json["name"]?.stringValue)
            source = try #require(json["source"]?.elements).compactMap(\.stringValue).joined(separator: "\n")
            events = json["events"]?.elements ?? []
            loadError = json["loadError"]?.intValue
        }

        static let all: [Vector] = {
            let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
            guard
                let text = try? String(
                    contentsOf: root.appendingPathComponent("conformance/live-plugins.json"), encoding: .utf8),
                let vectors = try? JSON.parse(text).elements?.map(Vector.init)
            else { preconditionFailure("conformance/live-plugins.json cannot be read") }
            return vectors
        }()
    }

    /// What a place made of an event.
    struct Outcome {
        let event: JSON?
        let made: [JSON]
        let faults: [Fault]
    }

    struct Fault {
        let plugin: String?
        let line: Int?
        let message: String?
    }

    @Test("On a device", arguments: Vector.all)
    func device(_ vector: Vector) throws {
        try run(vector) {
            let bundle = try PluginTestRun(source: vector.source, name: "plugins.js", destination: "Segment.io")
            return { event in
                let result = bundle.run(event)
                let faults = result.faults.map { Fault(plugin: $0.plugin, line: $0.line, message: $0.message) }
                return Outcome(event: result.after, made: result.sent, faults: faults)
            }
        }
    }

    @Test("In the workspace", arguments: Vector.all)
    func workspace(_ vector: Vector) throws {
        try run(vector) {
            let bundle = try WorkspaceRun(source: vector.source, name: "plugins.js", writeKey: "WK", version: "1")
            _ = bundle.takeHealth()
            return { event in
                let outcome = bundle.run(event)
                let faults = (bundle.takeHealth()?["plugins"]?.elements ?? []).compactMap { plugin in
                    plugin["fault"].map {
                        Fault(
                            plugin: plugin["name"]?.stringValue, line: $0["line"]?.intValue,
                            message: $0["message"]?.stringValue)
                    }
                }
                return Outcome(event: outcome.event, made: outcome.made, faults: faults)
            }
        }
    }

    private func run(_ vector: Vector, _ load: () throws -> (JSON) -> Outcome) throws {
        if let line = vector.loadError {
            let error = #expect(throws: PluginTestError.self) { _ = try load() }
            #expect(error?.line == line)
            return
        }
        let bundle = try load()
        #expect(!vector.events.isEmpty)
        for step in vector.events {
            let event = try #require(step["event"])
            let outcome = bundle(event)
            let expected = step["result"] ?? event
            #expect((outcome.event ?? .null).description == expected.description)
            #expect(outcome.made.map(Self.known) == step["made"]?.elements ?? [])
            try compare(outcome.faults, with: step["faults"]?.elements ?? [])
        }
    }

    private func compare(_ faults: [Fault], with expected: [JSON]) throws {
        #expect(faults.count == expected.count, "\(faults)")
        for (fault, expected) in zip(faults, expected) {
            #expect(fault.plugin == expected["plugin"]?.stringValue)
            if let line = expected["line"]?.intValue { #expect(fault.line == line) }
            let part = expected["message"]?.stringValue ?? ""
            #expect(part.isEmpty || fault.message?.contains(part) == true, "\(fault)")
        }
    }

    /// A made event without what differs from client to client.
    private static func known(_ event: JSON) -> JSON {
        var event = event
        for name in ["messageId", "anonymousId", "timestamp", "originalTimestamp", "sentAt", "context", "integrations"]
        {
            event[name] = Optional.none
        }
        return event
    }
}
