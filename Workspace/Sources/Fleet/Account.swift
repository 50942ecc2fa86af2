import Tributary
import TributaryJSON

/// What became of the events of all clients.
struct Account {
    private var tracked = 0
    private var uploaded = 0
    private var dropped = 0
    private var lost = 0

    mutating func add(_ counters: EventCounters) {
        tracked += counters.tracked
        uploaded += counters.uploaded
        dropped += counters.droppedByPlugin.values.reduce(0, +)
        lost += counters.lost.values.reduce(0, +) + counters.deadLettered
    }

    var json: JSON {
        [
            "tracked": .number(JSONNumber(tracked)), "uploaded": .number(JSONNumber(uploaded)),
            "dropped": .number(JSONNumber(dropped)), "lost": .number(JSONNumber(lost)),
        ]
    }
}
