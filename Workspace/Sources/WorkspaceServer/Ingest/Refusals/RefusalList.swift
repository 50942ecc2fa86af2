import WorkspaceCore

/// The newest refused requests. A pure value with bounds; times are passed in.
///
/// The same refusal is counted and not repeated. An address has some places only, so that one client that tries many keys
/// does not push all others out. The oldest refusal makes room for a new one.
struct RefusalList: Sendable {
    struct Entry: Sendable {
        let request: RefusedRequest
        let firstAt: Int64
        var lastAt: Int64
        var count = 1
    }

    private var found: [RefusedRequest: Entry] = [:]
    /// Refusals that have no place in the list any more.
    private(set) var others = 0

    /// Newest first.
    var entries: [Entry] { found.values.sorted { ($0.lastAt, $0.firstAt) > ($1.lastAt, $1.firstAt) } }

    mutating func note(_ request: RefusedRequest, at now: Int64) {
        if found[request] != nil {
            found[request]?.count += 1
            found[request]?.lastAt = now
            return
        }
        let ofAddress = found.values.filter { $0.request.address == request.address }
        if ofAddress.count >= Limits.refusalsOfAddress {
            removeOldest(of: ofAddress)
        } else if found.count >= Limits.refusals {
            removeOldest(of: Array(found.values))
        }
        found[request] = Entry(request: request, firstAt: now, lastAt: now)
    }

    private mutating func removeOldest(of entries: [Entry]) {
        guard let oldest = entries.min(by: { $0.lastAt < $1.lastAt }) else { return }
        others += oldest.count
        found[oldest.request] = nil
    }
}
