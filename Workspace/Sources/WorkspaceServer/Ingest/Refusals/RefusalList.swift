/// What was refused lately. A pure value with bounds; times are passed in.
///
/// The same refusal is counted and not repeated. An address has some places only, so that one client that tries many keys
/// does not push all others out.
struct RefusalList: Sendable {
    struct Entry: Sendable {
        let request: RefusedRequest
        let firstAt: Int64
        var lastAt: Int64
        var count = 1
    }

    private var found: [RefusedRequest: Entry] = [:]
    /// Refusals that had no place in the list.
    private(set) var others = 0

    /// Newest first.
    var entries: [Entry] { found.values.sorted { ($0.lastAt, $0.firstAt) > ($1.lastAt, $1.firstAt) } }

    mutating func note(_ request: RefusedRequest, at now: Int64) {
        if found[request] != nil {
            found[request]?.count += 1
            found[request]?.lastAt = now
            return
        }
        let ofAddress = found.values.count { $0.request.address == request.address }
        guard ofAddress < Limits.refusalsOfAddress else {
            others += 1
            return
        }
        if found.count >= Limits.refusals, let oldest = found.min(by: { $0.value.lastAt < $1.value.lastAt }) {
            others += oldest.value.count
            found[oldest.key] = nil
        }
        found[request] = Entry(request: request, firstAt: now, lastAt: now)
    }
}
