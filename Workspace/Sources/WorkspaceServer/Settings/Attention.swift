import WorkspaceCore

/// How closely the live plugins and filters of a source are watched. It decides how soon devices look for settings and how often they
/// report.
enum Attention: Sendable, Equatable {
    /// A roll-out is under way and something was changed within a day, or something was stopped on devices: devices follow quickly
    /// and report often.
    case close
    /// A roll-out takes long, or a newest version is less than a day old: devices report often.
    case usual
    /// Nothing was deployed for a day: the first fault of a version is still reported at once.
    case low

    /// Seconds for which caches may keep settings while devices follow quickly.
    static let closeCacheSeconds = 10

    init(to source: Source, now: Int64) {
        let isChanged = now - source.updatedAt < Day.milliseconds
        let deployedAt = [source.bundle?.deployedAt, source.newestFilters?.set.deployedAt]
        let isNew = deployedAt.contains { $0.map { now - $0 < Day.milliseconds } ?? false }
        switch (source.isRollingOut, isChanged, isNew) {
        case _ where source.stops.isWatched(at: now): self = .close
        case (true, true, _): self = .close
        case (true, false, _), (false, _, true): self = .usual
        case (false, _, false): self = .low
        }
    }

    /// Seconds after which devices look for settings; nil leaves that to the app.
    var settingsInterval: Int? { self == .close ? 60 : nil }

    /// Seconds between two health reports of a device. Once a day is less than 1 % of what a device with 1,000 events sends.
    var reportInterval: Int { self == .low ? 86_400 : 600 }

    /// Seconds for which caches may keep settings.
    var cacheSeconds: Int { self == .close ? Self.closeCacheSeconds : 60 }
}
