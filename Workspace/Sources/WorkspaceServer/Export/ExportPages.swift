/// The pages of an export, one after the other. One that looks through events takes its turn for each page, so that
/// others are not kept waiting until its end.
struct ExportPages {
    let store: Store
    let scans: Scans
    /// What is left to be read; nil at the end.
    private var query: EventQuery?

    init(store: Store, scans: Scans, query: EventQuery) {
        self.store = store
        self.scans = scans
        self.query = query
    }

    mutating func next() async throws -> ListPage? {
        guard let query else { return nil }
        let page =
            query.isScan
            ? try await scans.take(isBegun: true) { try await store.events(query, scans: scans) }
            : try await store.events(query)
        self.query = page.next.map { next in
            var rest = query
            rest.after = next
            return rest
        }
        return page
    }
}
