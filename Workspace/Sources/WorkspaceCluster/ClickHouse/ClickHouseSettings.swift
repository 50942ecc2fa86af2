import WorkspaceCore
import WorkspaceServer

/// The addresses of a column store, and how safe a block has to be in it.
package struct ClickHouseSettings: Sendable {
    /// The HTTP addresses of the replicas, without a path: `http://127.0.0.1:8123`.
    package var hosts: [String] { addresses.map(\.origin) }
    var addresses: [ServiceAddress]
    /// The database with the table. It is made when it is missing.
    package var database: String
    /// The name to log in with; nil for the default user without a password.
    package var user: String?
    package var password: String?
    /// The replicas that have to hold a block before it counts as stored.
    package var quorum: Int
    /// The number of blocks that each server remembers to recognise repetitions, and for how many seconds.
    package var knownBlocks = 10_000
    package var knownBlockSeconds = 604_800
    /// The seconds for which a server keeps a part of the table that a merge or an erasure has replaced. Until then the
    /// bytes of erased rows are on its disk.
    package var oldPartSeconds = 60
    /// The seconds after which the client gives up a read, an insert or a change. Until then it repeats the same bytes.
    package var patience = 30

    /// - Parameter quorum: a majority of the hosts when nil.
    /// - Throws: `ClickHouseError` when a value cannot be part of an address or of a name.
    package init(hosts: [String], database: String, quorum: Int? = nil) throws {
        guard !hosts.isEmpty else { throw ClickHouseError.settings("a column store needs an address") }
        do {
            addresses = try hosts.map { try ServiceAddress($0).with(target: "") }
        } catch let error as ServiceAddress.Problem {
            throw ClickHouseError.settings(error.description)
        }
        let isName = database.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        }
        guard isName, (1...64).contains(database.utf8.count) else {
            throw ClickHouseError.settings("the database has a name of 1 to 64 letters a to z, digits and _")
        }
        let quorum = quorum ?? hosts.count / 2 + 1
        guard (1...hosts.count).contains(quorum) else {
            throw ClickHouseError.settings("a quorum of \(quorum) replicas cannot be had from \(hosts.count) hosts")
        }
        (self.database, self.quorum) = (database, quorum)
    }
}
