import WorkspaceCore
import WorkspaceServer

/// Pauses between attempts, from a quarter of a second up to ten.
struct Pause {
    private static let backoff = Backoff(first: 250, longest: 10_000)
    private var waited = 0

    mutating func wait() async throws {
        let pause = Self.backoff.pause(after: waited, random: .random(in: 0..<1))
        try await Task.sleep(for: .milliseconds(pause))
        waited += 1
    }
}
