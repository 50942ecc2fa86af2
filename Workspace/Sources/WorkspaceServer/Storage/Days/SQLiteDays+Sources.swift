import GRDB

extension SQLiteDays {
    /// Sees to it that the workspace knows all sources that the days name, and that the days name them by their keys.
    /// - Throws: `WorkspaceError` when the database of the workspace is another one's, or older than a source.
    func checkSources(_ writeKeys: [Int64: String], in path: String) throws {
        for (day, extent) in files.extents.sorted(by: { $0.key < $1.key }) {
            if let unknown = extent.sources.first(where: { writeKeys[$0.key] == nil }) {
                let name = unknown.value.isEmpty ? "\(unknown.key)" : unknown.value
                throw WorkspaceError(
                    .dataFolder,
                    "the day \(day) in \(path) has events of the source \(name), which workspace.sqlite does not know: it "
                        + "is the database of another workspace, or an older one. Put the right one back, or let "
                        + "`tributary doctor --repair \(path)` take up the source")
            }
            let unnamed = extent.sources.filter { $0.value.isEmpty }
            guard !unnamed.isEmpty, let pool = try files.pool(for: day) else { continue }
            try pool.write { db in
                try DaySchema.revise(db)
                for source in unnamed.keys { try DaySchema.name(source, writeKeys[source] ?? "", db) }
            }
        }
    }
}
