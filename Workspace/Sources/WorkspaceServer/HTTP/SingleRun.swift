/// Lets one piece of long work run at a time. A few more wait for their turn; others are refused, and can try again.
actor SingleRun {
    private let name: String
    private let places: Int
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - name: the name of the work in the error, such as "dry run".
    ///   - places: how many may wait.
    init(_ name: String, places: Int = 0) {
        self.name = name
        self.places = places
    }

    /// How many wait for their turn.
    var waitingCount: Int { waiting.count }

    func take<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await begin()
        defer { end() }
        return try await work()
    }

    private func begin() async throws(APIError) {
        guard isTaken else {
            isTaken = true
            return
        }
        guard waiting.count < places else { throw .overloaded("another \(name) is at work") }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
