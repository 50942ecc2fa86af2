package import TributaryScript

/// Every limit of live plugins that no initialiser can change, each with its reason.
package enum LivePluginLimits {
    /// Bytes of a bundle; deployed ones are some KB, and the workspace takes no larger ones.
    package static let bundleBytes = 1 << 20
    /// Bytes of an event that scripts may make larger; the protocol's servers refuse more than 32 KB.
    package static let eventBytes = 32 * 1024
    /// Bytes of everything that scripts of a client store together.
    package static let storageBytes = 256 * 1024
    /// Bytes of a file of state that is read; what scripts store may be merged with what they stored before.
    static let stateFileBytes = 4 * storageBytes
    /// Damaged files of a name that are set aside; then the last of them is replaced.
    static let damagedFiles = 5
    /// Times in a row that the process may end during the same work of a bundle before that version no longer runs. A
    /// single end may have any cause.
    static let deaths = 2
    /// Versions that were replaced and still have events with destinations; each has an engine of about 1 MB.
    static let retiredVersions = 2
    /// Versions in quarantine that are remembered; the oldest is forgotten first.
    static let quarantined = 20
    /// Clients that `new Analytics(writeKey)` may make; each has a folder, a thread and a timer of its own.
    static let otherSources = 5
    /// Characters of a write key that a script may name; it becomes the name of a folder.
    static let writeKeyLength = 100
    /// How many events scripts may make because of one event, by how many steps that one is away from the app: an event
    /// of the app may cause 100, each of those 10, each of those one, and those none. A plugin that tracks an event for
    /// each event that it sees would otherwise go on for ever.
    static let eventsPerEvent = [100, 10, 1]
    /// Values besides the event whose numbers are remembered exactly while scripts work on one event.
    static let rememberedValues = 32
}

extension LivePluginLimits {
    /// The message for a script that stores too much.
    package static let storageMessage = "scripts may store \(storageBytes) bytes together"

    /// Whether scripts may have a source of that write key besides those that they have.
    /// - Throws: why not, for the script.
    package static func check(newSource writeKey: String, besides count: Int) throws(ScriptError) {
        guard !writeKey.isEmpty, writeKey.utf8.count <= writeKeyLength else {
            throw ScriptError(.badValue, "the write key of a source has 1 to \(writeKeyLength) characters")
        }
        guard count < otherSources else {
            throw ScriptError(
                .badValue,
                "there are \(otherSources) sources besides the app's own, as many as scripts may have: "
                    + "there is no other one for \(writeKey)")
        }
    }
}
