import WorkspaceCore

/// How many requests of other services one source function takes: in a second, and at a time.
struct HookGate: Sendable, Equatable {
    private var second: Int64 = 0
    private var inSecond = 0
    private(set) var taken = 0

    /// Counts a request.
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: whether it may come in.
    mutating func comes(at now: Int64) -> Bool {
        let second = now / 1_000
        if second != self.second { (self.second, inSecond) = (second, 0) }
        guard inSecond < Limits.hookRequestsInSecond else { return false }
        inSecond += 1
        return true
    }

    /// Takes a place for a request that is with the function, or waits for it.
    mutating func enter() -> Bool {
        guard taken < Limits.hookPlaces else { return false }
        taken += 1
        return true
    }

    mutating func leave() { taken -= 1 }
}
