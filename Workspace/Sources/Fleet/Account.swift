import Tributary
import TributaryJSON

/// The outcomes of the events of all clients.
struct Account {
    private static let cloud = "Segment.io"

    private var tracked = 0
    private var uploaded = 0
    private var dropped = 0
    private var filtered = 0
    private var lost = 0
    /// The events that the destination on the device got, the events that filters kept from it, and the events before
    /// the settings enabled it.
    private var partner = 0
    private var filteredForPartner = 0
    private var beforePartner = 0

    mutating func add(_ counters: EventCounters) {
        func filtered(for destination: String) -> Int {
            counters.droppedByFilter.filter { $0.key.destination == destination }.values.reduce(0, +)
        }
        tracked += counters.tracked
        uploaded += counters.uploaded
        dropped += counters.droppedByPlugin.values.reduce(0, +)
        self.filtered += filtered(for: Self.cloud)
        lost += counters.lost.values.reduce(0, +) + counters.deadLettered
        partner += counters.delivered[Partner.key] ?? 0
        filteredForPartner += filtered(for: Partner.key)
        beforePartner += counters.notEnabled[Partner.key] ?? 0
        lost += counters.lostByDestination[Partner.key] ?? 0
    }

    var json: JSON {
        func json(_ number: Int) -> JSON { .number(JSONNumber(number)) }
        return [
            "tracked": json(tracked), "uploaded": json(uploaded), "dropped": json(dropped), "filtered": json(filtered),
            "lost": json(lost), "partner": json(partner), "filteredForPartner": json(filteredForPartner),
            "beforePartner": json(beforePartner),
        ]
    }
}
