import WorkspaceCore

/// Waits until a reader sees every event that was acknowledged before its request.
///
/// The server stores events shortly after it acknowledged them. With a long backlog the wait ends after `patience`, and
/// the answer has the events that are stored by then, and the number of requests that are not.
struct ReadYourWrites: Sendable {
    let intake: any Intake
    let patience: Duration

    /// - Returns: how many requests wait; 0 when all that were acknowledged before are stored.
    @discardableResult
    func wait() async -> Int { await intake.wait(atMost: patience) }

    /// Waits for at most that long.
    /// - Returns: whether all of it is stored.
    func isCaughtUp(within duration: Duration) async -> Bool {
        guard let mark = try? await intake.mark() else { return false }
        return await intake.isStored(mark, within: duration)
    }
}
