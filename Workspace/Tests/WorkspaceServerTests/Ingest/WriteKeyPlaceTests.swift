import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The source of a request that names write keys in several places.
@Suite(.timeLimit(.minutes(30))) struct WriteKeyPlaceTests {
    /// The content of one place of a request.
    enum Content: CaseIterable { case nothing, unknown, known }

    /// The keys that a request names, in the order in which they count. Each place has a source of its own.
    struct Places {
        static let known = ["BASIC", "HEADER", "QUERY", "BODY"]
        let contents: [Content]

        /// Every combination.
        static let all: [Places] = (0..<81).map { number in
            Places(contents: [27, 9, 3, 1].map { Content.allCases[number / $0 % 3] })
        }

        /// The key whose source gets the request; nil when it is refused.
        var expected: String? { zip(Self.known, contents).first { $1 == .known }?.0 }

        private func key(_ place: Int) -> String? {
            switch contents[place] {
            case .nothing: nil
            case .unknown: "***"
            case .known: Self.known[place]
            }
        }

        var headers: [String: String] {
            var headers: [String: String] = [:]
            headers["Authorization"] = key(0).map { "Basic " + Data("\($0):".utf8).base64EncodedString() }
            headers["X-Write-Key"] = key(1)
            return headers
        }
        var query: String { key(2).map { "?writeKey=\($0)" } ?? "" }

        func body(_ members: JSON) -> JSON {
            var body = members
            body["writeKey"] = key(3).map(JSON.string)
            return body
        }
    }

    @Test("The first key that a source has decides, in a header, the query and the body, for batches and single events")
    func events() async throws {
        try await TestWorkspace.run(writeKeys: Places.known) { workspace async throws in
            var expected: [String: String] = [:]
            for (number, places) in Places.all.enumerated() {
                for (path, isBatch) in [("/v1/track", false), ("/v1/b", true)] {
                    let event = Events.track(messageId: "\(path)-\(number)")
                    let body = places.body(isBatch ? ["batch": [event]] : event)
                    let answer = try await workspace.client.post(path + places.query, body, headers: places.headers)
                    #expect(answer.status == (places.expected == nil ? 401 : 200), "\(path) \(places)")
                    expected["\(path)-\(number)"] = places.expected
                }
            }
            var stored: [String: String] = [:]
            for event in try await workspace.client.events() {
                stored[event["messageId"]?.stringValue ?? ""] = event["writeKey"]?.stringValue
            }
            #expect(stored == expected)
        }
    }

    @Test(
        "Signals, traces and health reports follow the same rule",
        arguments: [
            ("/v1/signals", []), ("/v1/traces", ["traces": []]),
            ("/v1/health-reports", ["instanceId": "i", "number": 1, "seconds": 600, "versions": []]),
        ] as [(String, JSON)])
    func others(_ path: String, _ members: JSON) async throws {
        // The array of signals has no place for a key.
        let isObject = members.objectValue != nil
        try await TestWorkspace.run(writeKeys: Places.known) { workspace async throws in
            for places in Places.all where isObject || places.contents[3] == .nothing {
                let body = isObject ? places.body(members) : members
                let answer = try await workspace.client.post(path + places.query, body, headers: places.headers)
                #expect(answer.status == (places.expected == nil ? 401 : 200), "\(path) \(places) \(answer.text)")
            }
        }
    }

    @Test("A long body with an unknown key at its beginning is taken when a header has a key that is known")
    func longBody() async throws {
        try await TestWorkspace.run { workspace async throws in
            let filling = String(repeating: "x", count: 2 * Limits.bodyBeginning)
            let event =
                #"{"writeKey":"***","messageId":"m","userId":"u","event":"E","properties":{"x":""# + filling + #""}}"#
            for (key, status) in [("WK", 200), ("NO", 401)] {
                let answer = try await workspace.client.send(
                    "POST", "/v1/track", body: Array(event.utf8), headers: ["X-Write-Key": key])
                #expect(answer.status == status)
            }
        }
    }
}
