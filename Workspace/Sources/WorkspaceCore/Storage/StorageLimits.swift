extension Limits {
    /// Users of one row that have an entry each. A row that names more users has one entry, which says that
    /// it may name any user.
    static let mentionsOfRow = 32
    /// Memory of the writers of the newest day and of the index of messages, and pages of a log before they go to the
    /// file.
    static let dayCacheKilobytes = 24 << 10
    static let workspaceCacheKilobytes = 4 << 10
    /// The part of a file that a reading connection keeps in memory.
    static let readerCacheKilobytes = 4 << 10
    static let pagesInLog = 8_000
    /// The newest messages that are in memory and in the database of the workspace; more of them go into a file.
    static let recentMessages = 1 << 16
    /// Memory for the filters of files of messages: 12 bits for each of 44 million. Beyond, the filters of the oldest days
    /// stay on the disk, and each new message costs a read of 64 bytes for each file of those days.
    static let messageFilterBytes = 64 << 20
    /// Files of messages that stay open; older ones are opened for each question that their filters let pass.
    static let openMessageFiles = 100
    /// Databases of days that stay open; the others are opened when they are needed.
    static let openDays = 8
    /// Blocks of 64 bytes in the summary of a day: 8 MB, for six million values. A day with more is opened more often.
    static let summaryBlocks = 1 << 17
    /// Names of the day before that have their places, and parts of indexes that are looked into for other names at once.
    static let knownNames = 250
    static let catalogLooks = 20_000
    /// The newest days whose traced events are used for the latency figures.
    static let latencyDays = 7
    /// Message ids of a day that are compared with the index at once.
    static let messagesReadAtOnce = 10_000
    /// Parts of the indexes of a day that one statement reads.
    static let mostPartsAtOnce = 256
    /// Events that are read for one page of a list with conditions on their content.
    static let rowsLookedAt = 50_000
    /// Traced events that the latency figures are computed from.
    static let latencyWindow = 10_000
}
