package import GRDB

/// The settings of one machine.
package struct LocalSettings: SettingsChanges {
    private let pool: DatabasePool
    /// A change here would be missing on the other nodes, and what they change could not be applied here any more.
    private let isOfCluster: Bool

    package init(_ pool: DatabasePool) throws {
        self.pool = pool
        isOfCluster = try pool.read(AppliedChange.read) != nil
    }

    package var isShared: Bool { false }

    package func change<T: Sendable>(
        alongside local: @escaping @Sendable (Database) throws -> Void,
        _ update: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await pool.write { db in
            try local(db)
            return try checked(db, refusal: Refusal(.conflict, Self.refusal), update)
        }
    }

    package func changeNow<T>(_ update: (Database) throws -> T) throws -> T {
        try pool.write { db in
            try checked(db, refusal: WorkspaceError(.dataFolder, Self.refusal), update)
        }
    }

    private func checked<T>(
        _ db: Database, refusal: any Error, _ update: (Database) throws -> T
    ) throws -> T {
        let before = db.totalChangesCount
        let value = try update(db)
        guard !isOfCluster || db.totalChangesCount == before else { throw refusal }
        return value
    }

    private static let refusal = """
        the settings in this folder are those of a cluster, and cannot be changed on one machine alone; start the server \
        with the options of the cluster
        """
}
