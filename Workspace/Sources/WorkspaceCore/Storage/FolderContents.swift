import Foundation

/// The content of a folder that may be a data folder.
package struct FolderContents: Equatable {
    package let path: String
    package var hasDatabase = false
    package var days: [Day] = []
    var hasJournal = false
    /// Files in `unreadable`.
    package var unreadable: [String] = []
    /// A folder that cannot be listed, with the reason; its content is unknown.
    package var unlisted: String?

    package init(of path: String) {
        self.path = path
        let files = FileManager.default
        func names(in folder: String) -> [String] {
            guard files.fileExists(atPath: path + folder) else { return [] }
            do {
                return try files.contentsOfDirectory(atPath: path + folder)
            } catch {
                unlisted = "\(path)\(folder) cannot be listed: \(SystemReason.text(error))"
                return []
            }
        }
        // A crash while the first file was made leaves an empty file.
        let database = path + "/workspace.sqlite"
        hasDatabase = files.fileExists(atPath: database) && !ByteFile.isEmpty(database)
        days = DataFolder.days(of: names(in: "/days"))
        hasJournal = names(in: "/journal").contains { $0 == "mark" || $0.hasSuffix(".tjl") && !$0.hasPrefix("spare-") }
        unreadable = names(in: "/unreadable").sorted()
    }

    /// Whether a workspace ever ran in it.
    package var isDataFolder: Bool { hasDatabase || hasRemains || unlisted != nil }

    /// Whether there is something that belongs to a database of the workspace.
    private var hasRemains: Bool { !days.isEmpty || hasJournal || !unreadable.isEmpty }

    /// A new database beside days of events would not know their sources.
    package func checkStart() throws(WorkspaceError) {
        if let unlisted { throw WorkspaceError(.dataFolder, unlisted) }
        guard !hasDatabase, hasRemains else { return }
        throw WorkspaceError(
            .dataFolder,
            "\(path)/workspace.sqlite is missing, but there \(remains). It says which sources they belong to, so nothing "
                + "is started without it. Put it back; or make a folder of a backup with `tributary restore BACKUP NEW`; "
                + "or let `tributary doctor --repair \(path)` make it from the days: settings, live plugins and "
                + "destinations are lost then. For a new workspace, choose an empty folder")
    }

    /// The folder of a cluster's node has settings only; its events would be left behind.
    package func checkNode() throws(WorkspaceError) {
        try checkStart()
        guard !days.isEmpty || hasJournal else { return }
        throw WorkspaceError(
            .dataFolder,
            "in \(path) there \(remains) of one machine, and a node of a cluster keeps its events in the store. Choose an "
                + "empty folder; `tributary cluster import` moves the events into a new cluster")
    }

    /// `are 3 days of events and a journal`.
    package var remains: String {
        var parts: [String] = []
        if !days.isEmpty { parts.append(days.count == 1 ? "a day of events" : "\(days.count) days of events") }
        if hasJournal { parts.append("a journal") }
        if !unreadable.isEmpty { parts.append("\(unreadable.count) files in unreadable/") }
        let text = parts.count < 3 ? parts.joined(separator: " and ") : parts.joined(separator: ", ")
        return (parts.count == 1 && days.count < 2 && unreadable.count < 2 ? "is " : "are ") + text
    }
}
