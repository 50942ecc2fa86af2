import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Explains an empty result: a path that no event has, and where events have a member of that name.
///
/// People write `total>10` where the events have `properties.total`. That is a valid condition that no event fulfils, so
/// without an explanation it looks like an answer.
struct PathAdvice {
    let client: AdministrationClient
    /// The filters and the times of the command.
    let query: [URLQueryItem]

    /// Members of an event in which apps put their values.
    private static let parents = ["properties", "traits", "context"]

    /// Writes a line for each path that no event has.
    func explain(_ paths: [[String]]) async throws {
        for path in paths {
            guard try await !exists(path) else { continue }
            let text = Self.text(path)
            for parent in Self.parents where path.first != parent {
                guard try await exists([parent] + path) else { continue }
                Console.error("no event has \(text), but there are events with \(Self.text([parent] + path))")
                return
            }
            Console.error("no event has \(text); `tributary catalog` shows the properties of each event")
        }
    }

    /// Whether an event that the command looks at has the member. With very many events the newest ones decide.
    private func exists(_ path: [String]) async throws -> Bool {
        let more = [URLQueryItem(name: "where", value: Self.text(path)), URLQueryItem(name: "limit", value: "1")]
        return try await !EventPage(client.get("api/events", query: query + more)).events.isEmpty
    }

    /// A path as it is written: keys with signs stand in quotes.
    static func text(_ path: [String]) -> String {
        path.map { key in
            let isPlain = key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "$" }
            return isPlain && !key.isEmpty ? key : JSON.string(key).description
        }.joined(separator: ".")
    }
}
