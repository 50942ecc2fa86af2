import WorkspaceCore

extension Limits {
    /// The largest database of countries, because it is kept in memory.
    static let countryDatabaseBytes = 512 << 20
    /// The time between two looks whether its file was replaced.
    package static let countryPause = Duration.seconds(1)
    /// Values that are passed in a record on the way to its country. A record of a city has about a hundred.
    static let countryRecordValues = 4_096
    /// Records that are read in search of a country, before a database counts as one without countries.
    static let countryRecordsTried = 10_000
}
