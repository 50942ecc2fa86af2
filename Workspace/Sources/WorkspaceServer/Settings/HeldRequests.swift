/// Requests for settings that are held until their source changes or their time is over. A pure value; times are passed in.
struct HeldRequests<Waiter> {
    private struct Held {
        let waiter: Waiter
        let deadline: Int64
    }

    /// The most requests that are held at once. Each keeps a connection.
    let limit: Int
    private(set) var count = 0
    private var ofSources: [Int64: [Int: Held]] = [:]
    private var nextId = 0

    init(limit: Int) { self.limit = limit }

    /// Holds a request.
    /// - Returns: its number; nil when too many are held.
    mutating func add(_ waiter: Waiter, source: Int64, until deadline: Int64) -> Int? {
        guard count < limit else { return nil }
        nextId += 1
        count += 1
        ofSources[source, default: [:]][nextId] = Held(waiter: waiter, deadline: deadline)
        return nextId
    }

    /// Takes out the request of a client that left; nil when it was taken out before.
    mutating func remove(_ id: Int, source: Int64) -> Waiter? {
        guard let held = ofSources[source]?.removeValue(forKey: id) else { return nil }
        count -= 1
        if ofSources[source]?.isEmpty == true { ofSources[source] = nil }
        return held.waiter
    }

    /// Takes out the requests of a source, first those of which the time is over soon.
    mutating func take(ofSource source: Int64) -> [Waiter] {
        let held = ofSources.removeValue(forKey: source) ?? [:]
        count -= held.count
        return held.values.sorted { $0.deadline < $1.deadline }.map(\.waiter)
    }

    /// Takes out the requests of which the time is over.
    mutating func take(overdueAt now: Int64) -> [Waiter] {
        var waiters: [Waiter] = []
        for (source, held) in ofSources {
            for (id, request) in held where request.deadline <= now {
                waiters.append(request.waiter)
                ofSources[source]?[id] = nil
            }
            if ofSources[source]?.isEmpty == true { ofSources[source] = nil }
        }
        count -= waiters.count
        return waiters
    }

    /// Takes out all requests.
    mutating func takeAll() -> [Waiter] {
        defer { (ofSources, count) = ([:], 0) }
        return ofSources.values.flatMap { $0.values.map(\.waiter) }
    }
}
