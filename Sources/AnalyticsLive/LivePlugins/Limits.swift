package import TributaryScript

/// Every limit of live plugins that no initialiser can change, each with its reason.
package enum LivePluginLimits {
    /// Bytes of a bundle. Deployed bundles have some KB, and the workspace accepts no larger ones.
    package static let bundleBytes = 1 << 20
    /// Bytes of an event that scripts may enlarge. Servers of the protocol refuse more than 32 KB.
    package static let eventBytes = 32 * 1024
    /// Bytes of everything that scripts of a client store together.
    package static let storageBytes = 256 * 1024
    /// Bytes of a state file that are read. Stored values of scripts may be merged with earlier ones.
    static let stateFileBytes = 4 * storageBytes
    /// Damaged files with one name that are set aside. Then the last of them is replaced.
    static let damagedFiles = 5
    /// The number of times in a row that the process may end during the same work of a bundle. Then that version no
    /// longer runs. A single end may have any cause.
    static let deaths = 2
    /// Replaced versions with events that destinations still have. Each has an engine of about 1 MB.
    static let retiredVersions = 2
    /// Versions in quarantine that are remembered. The oldest is forgotten first.
    static let quarantined = 20
    /// Clients that `new Analytics(writeKey)` may make; each has a folder, a thread and a timer of its own.
    static let otherSources = 5
    /// Characters of a write key that a script may name; it becomes the name of a folder.
    static let writeKeyLength = 100
    /// How many events scripts may make because of one event, by the number of steps from the app's event. An event of
    /// the app may cause 100, each of those 10, each of those one, and those none. Without a limit, a plugin that
    /// tracks an event for each event would never stop.
    static let eventsPerEvent = [100, 10, 1]
    /// Different changes that the app did not allow, and that a version reports.
    static let reportedRefusals = 20
    /// Values besides the event, with numbers that are remembered exactly while scripts work on one event.
    static let rememberedValues = 32
}

extension LivePluginLimits {
    /// The message for a script that stores too much.
    package static let storageMessage = "scripts may store \(storageBytes) bytes together"

    /// Checks whether scripts may have a source with that write key, in addition to their present ones.
    /// - Throws: the reason why not, for the script.
    package static func check(newSource writeKey: String, besides count: Int) throws(ScriptError) {
        guard !writeKey.isEmpty, writeKey.utf8.count <= writeKeyLength else {
            throw ScriptError(.badValue, "the write key of a source has 1 to \(writeKeyLength) characters")
        }
        guard count < otherSources else {
            throw ScriptError(
                .badValue,
                "scripts already have \(otherSources) sources besides the app's own, which is the limit; "
                    + "there is none for \(writeKey)")
        }
    }
}
