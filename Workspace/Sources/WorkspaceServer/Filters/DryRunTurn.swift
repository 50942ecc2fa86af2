/// Lets one dry run work at a time. Another one that comes meanwhile is refused and can try again.
actor DryRunTurn {
    private var isTaken = false

    func take<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        guard !isTaken else { throw APIError.overloaded("another dry run is at work") }
        isTaken = true
        defer { isTaken = false }
        return try await work()
    }
}
