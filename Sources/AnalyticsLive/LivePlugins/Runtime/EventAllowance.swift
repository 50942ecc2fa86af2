import TributaryScript

/// The number of events that scripts may still make.
///
/// Without it, two things would never end: a plugin that tracks an event for each event, and a plugin that tracks at
/// each flush in an app that flushes after each event.
struct EventAllowance {
    private var made = 0
    private var total = 0
    private var notice: (made: Int, ofApp: Int) = (0, -1)

    /// Scripts begin another piece of work.
    mutating func begin() { made = 0 }

    /// Takes one event.
    ///
    /// - Parameter tracked: the number of all events of the client, those of scripts included; nil when the event is
    ///   for another source.
    /// - Throws: an error for the script when none is left.
    mutating func take(for task: LivePluginTask, tracked: Int?) throws {
        let generation = task.generation
        let limits = LivePluginLimits.eventsPerEvent
        let limit = generation < limits.count ? limits[generation] : 0
        guard made < limit else {
            throw ScriptError(
                .badValue,
                generation == 0
                    ? "scripts can make \(limit) events at once"
                    : "scripts can make \(limit) events because of an event that a script made. A plugin that tracks each "
                        + "event again sees its own events, too: change the event and return it, or return it at once when "
                        + "event.context.__eventOrigin is there")
        }
        if case .notice = task, let tracked { try takeForNotice(tracked, limit: limits.first ?? 0) }
        made += 1
        if tracked != nil { total += 1 }
    }

    /// Takes an event for a notice. Notices get a new allowance only after the app itself has tracked something.
    private mutating func takeForNotice(_ tracked: Int, limit: Int) throws {
        let ofApp = tracked - total
        if notice.ofApp != ofApp { notice = (0, ofApp) }
        guard notice.made < limit else {
            throw ScriptError(.badValue, "scripts can make \(limit) events at flush, reset and update in a row")
        }
        notice.made += 1
    }
}
