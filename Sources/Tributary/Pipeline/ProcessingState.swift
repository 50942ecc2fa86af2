/// Whether a client processes events: what the start waits for, and how far the end has come.
struct ProcessingState {
    private enum End {
        case notRequested
        /// No event is begun any more; destinations take what waits for them.
        case settling
        case over
    }

    /// Whether settings apply.
    private var hasSettings = false
    /// Whether plugins added right after the client was made had their chance to be there.
    private var hasTurned = false
    /// Plugins that asked to be waited for.
    private var waiting: Set<ObjectIdentifier> = []
    /// Whether the settings switched collection off.
    private var isSwitchedOff = false
    /// Whether events were processed at any time.
    private(set) var hasBegun = false
    private var end = End.notRequested

    private var conditionsAreMet: Bool { hasSettings && hasTurned && waiting.isEmpty && !isSwitchedOff }

    var mayProcess: Bool { hasBegun && conditionsAreMet && !isEnding }
    var isEnding: Bool { end != .notRequested }
    var isOver: Bool { end == .over }

    /// Why processing has not begun; nil when it has.
    var blocker: UploadObstacle? {
        if !hasSettings { return UploadObstacle(.starting, "settings are not known yet") }
        if isSwitchedOff { return UploadObstacle(.switchedOff, "the settings switched collection off") }
        if !hasTurned { return UploadObstacle(.starting, "the app is still adding plugins") }
        return waiting.isEmpty ? nil : UploadObstacle(.starting, "a plugin asked to wait")
    }

    mutating func settingsCame(isSwitchedOff: Bool) {
        hasSettings = true
        self.isSwitchedOff = isSwitchedOff
    }

    /// - Returns: false when that is known.
    mutating func turned() -> Bool {
        defer { hasTurned = true }
        return !hasTurned
    }

    mutating func wait(for plugin: ObjectIdentifier) { waiting.insert(plugin) }

    /// - Returns: whether it was waited for.
    mutating func stopWaiting(for plugin: ObjectIdentifier) -> Bool { waiting.remove(plugin) != nil }

    /// Begins when everything is there.
    /// - Returns: true the one time that it begins.
    mutating func begin() -> Bool {
        guard conditionsAreMet, !hasBegun, !isEnding else { return false }
        hasBegun = true
        return true
    }

    /// - Returns: false when the end has begun.
    mutating func settle() -> Bool {
        guard !isEnding else { return false }
        end = .settling
        return true
    }

    /// - Returns: false when the end is over.
    mutating func conclude() -> Bool {
        defer { end = .over }
        return !isOver
    }
}
