import Foundation
import GRDB
import WorkspaceCore
import WorkspaceServer

/// The folder with which the first node founds a cluster: the settings of one machine, and none of its events.
struct FoundingFolder {
    /// The folder, which exists and is empty.
    let path: String

    /// - Parameter places: the numbers in the cluster of events that wait for a destination.
    func fill(from store: Store, _ places: [Int64: Int64]) throws {
        let copy = try DatabaseQueue(path: path + "/workspace.sqlite")
        try store.pool.backup(to: copy)
        try copy.write { db in
            try Self.forgetEvents(db)
            try Self.movePlaces(places, db)
        }
        try copy.writeWithoutTransaction { db in
            // A copy has the journal mode of its original.
            _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try copy.close()
    }

    /// Deletes everything that belongs to the journal, the days and the index of messages.
    private static func forgetEvents(_ db: Database) throws {
        for table in ["indexed", "recentMessages", "messageFile", "forgottenMessages", "sweep", "retention"] {
            try db.execute(sql: "DELETE FROM \(table)")
        }
        try db.execute(sql: "UPDATE position SET stream = 0, rejected = 0")
    }

    /// Translates the progress of destinations, because events have other numbers in a cluster.
    private static func movePlaces(_ places: [Int64: Int64], _ db: Database) throws {
        let positions = try Row.fetchAll(
            db, sql: "SELECT id, position, heldFrom, heldThrough, beginsAfter FROM destination")
        for row in positions {
            func moved(_ column: String) throws -> Int64 {
                let number = try row.decode(Int64.self, forColumn: column)
                // 0 and lower numbers name no event, so they stay.
                return number > 0 ? MovedNumber.last(through: number) : number
            }
            let heldFrom = try row.decode(Int64.self, forColumn: "heldFrom")
            let position = try row.decode(Int64.self, forColumn: "position")
            try db.execute(
                sql: """
                    UPDATE destination SET position = ?, heldFrom = ?, heldThrough = ?, beginsAfter = ? WHERE id = ?
                    """,
                arguments: [
                    MovedNumber.last(through: position),
                    heldFrom > 0 ? MovedNumber.last(through: heldFrom - 1) + 1 : 0, try moved("heldThrough"),
                    try moved("beginsAfter"), try row.decode(Int64.self, forColumn: "id"),
                ])
        }
        for row in try Row.fetchAll(db, sql: "SELECT destination, position, through FROM replay") {
            try db.execute(
                sql: "UPDATE replay SET position = ?, through = ? WHERE destination = ?",
                arguments: [
                    MovedNumber.last(through: try row.decode(Int64.self, forColumn: "position")),
                    MovedNumber.last(through: try row.decode(Int64.self, forColumn: "through")),
                    try row.decode(Int64.self, forColumn: "destination"),
                ])
        }
        let waiting = try Int64.fetchAll(db, sql: "SELECT DISTINCT sequence FROM undelivered ORDER BY sequence DESC")
        // The highest first: a new number is higher than all old ones up to it.
        for sequence in waiting {
            guard let place = places[sequence] else {
                // Its event was erased or its day deleted.
                try db.execute(sql: "DELETE FROM undelivered WHERE sequence = ?", arguments: [sequence])
                continue
            }
            try db.execute(
                sql: "UPDATE undelivered SET sequence = ? WHERE sequence = ?", arguments: [place, sequence])
        }
    }
}
