/// The pages of an export, one after the other. An export that searches events waits for its turn before each page, so
/// that other searches do not wait until its end.
struct ExportPages {
    let store: Store
    let scans: Scans
    private let holder: SharedPlaces.Holder
    /// The rest that is to be read; nil at the end.
    private var query: EventQuery?

    /// - Parameter holder: who exports.
    init(store: Store, scans: Scans, query: EventQuery, holder: SharedPlaces.Holder) {
        self.store = store
        self.scans = scans
        self.query = query
        self.holder = holder
    }

    mutating func next() async throws -> ListPage? {
        guard let query else { return nil }
        let page =
            query.isScan
            ? try await scans.take(for: holder, isBegun: true) { try await store.events(query, scans: scans) }
            : try await store.events(query)
        self.query = page.next.map { next in
            var rest = query
            rest.after = next
            return rest
        }
        return page
    }
}
