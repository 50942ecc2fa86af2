/// Whether a client processes events: which conditions of the start hold, and how far the end has come.
struct ProcessingState {
    static let switchedOff = UploadObstacle(.switchedOff, "the settings switched collection off")

    private enum End {
        case notRequested
        /// The client begins no further event; destinations take their waiting events.
        case settling
        case over
    }

    /// Whether settings apply.
    private var hasSettings = false
    /// Whether plugins that an app adds right after making the client have had time to be added.
    private var hasTurned = false
    /// Plugins that asked for time, with the number of the request.
    private var waiting: [ObjectIdentifier: Int] = [:]
    private var lastRequest = 0
    /// Whether the settings switched collection off.
    private(set) var isSwitchedOff = false
    /// Whether events were ever processed.
    private(set) var hasBegun = false
    private var end = End.notRequested

    private var conditionsAreMet: Bool { hasSettings && hasTurned && waiting.isEmpty && !isSwitchedOff }

    var mayProcess: Bool { hasBegun && conditionsAreMet && !isEnding }
    var isEnding: Bool { end != .notRequested }
    var isOver: Bool { end == .over }

    /// The reason why processing has not begun; nil when it has.
    var blocker: UploadObstacle? {
        if !hasSettings { return UploadObstacle(.starting, "settings are not known yet") }
        if isSwitchedOff { return Self.switchedOff }
        if !hasTurned { return UploadObstacle(.starting, "the app is still adding plugins") }
        return waiting.isEmpty ? nil : UploadObstacle(.starting, "a plugin asked for time")
    }

    mutating func settingsCame(isSwitchedOff: Bool) {
        hasSettings = true
        self.isSwitchedOff = isSwitchedOff
    }

    /// - Returns: false when this was known.
    mutating func turned() -> Bool {
        defer { hasTurned = true }
        return !hasTurned
    }

    /// - Returns: the number of the request; nil when processing waits for the plugin already.
    mutating func wait(for plugin: ObjectIdentifier) -> Int? {
        guard waiting[plugin] == nil else { return nil }
        lastRequest += 1
        waiting[plugin] = lastRequest
        return lastRequest
    }

    /// Whether processing waits for the plugin because of that request.
    func isWaiting(for plugin: ObjectIdentifier, _ request: Int) -> Bool { waiting[plugin] == request }

    /// - Returns: whether processing was waiting for the plugin.
    mutating func stopWaiting(for plugin: ObjectIdentifier) -> Bool { waiting.removeValue(forKey: plugin) != nil }

    /// Begins when all conditions hold.
    /// - Returns: true only for the call that begins.
    mutating func begin() -> Bool {
        guard conditionsAreMet, !hasBegun, !isEnding else { return false }
        hasBegun = true
        return true
    }

    /// - Returns: false when the end has already begun.
    mutating func settle() -> Bool {
        guard !isEnding else { return false }
        end = .settling
        return true
    }

    /// - Returns: false when the end is already over.
    mutating func conclude() -> Bool {
        defer { end = .over }
        return !isOver
    }
}
