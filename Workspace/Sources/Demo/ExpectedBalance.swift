/// The ends that the events of the repository's shop have, whatever happens to servers meanwhile. Sums that are equal do not
/// show an event that was stored although a filter should have dropped it.
struct ExpectedBalance: Equatable {
    var stored: Int
    var droppedByPlugin: Int
    var droppedByFilter: Int

    /// Of Examples/Storefront/Data/sessions.ndjson with the live plugins and filters of Examples/Storefront/Demo.
    static let shop = ExpectedBalance(stored: 6_523, droppedByPlugin: 342, droppedByFilter: 546)

    /// The differences, each as a sentence.
    func problems(of balance: EventBalance) -> [String] {
        [
            ("stored", balance.stored, stored), ("dropped by a plugin", balance.droppedByPlugin, droppedByPlugin),
            ("dropped by a filter", balance.droppedByFilter, droppedByFilter),
        ].filter { $0.1 != $0.2 }.map { "\($0.1) events were \($0.0), and \($0.2) have to be" }
    }
}
