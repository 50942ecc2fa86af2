package import Foundation
package import GRDB
import TributaryJSON

extension Store {
    /// The logins of people, by the digests of their secrets.
    package func personLogins() throws -> [Data: PersonLogin] { try pool.read(Self.personLogins) }

    package static func personLogins(_ db: Database) throws -> [Data: PersonLogin] {
        var logins: [Data: PersonLogin] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT secret, usedAt, endsAt, person FROM personLogin") {
            let json = try? JSON.parse([UInt8](try row.decode(Data.self, atIndex: 3)))
            let login = try json.flatMap {
                PersonLogin(
                    $0, endsAt: try row.decode(Int64.self, atIndex: 2), usedAt: try row.decode(Int64.self, atIndex: 1))
            }
            if let login { logins[try row.decode(Data.self, atIndex: 0)] = login }
        }
        return logins
    }

    /// Keeps a login of a person; nil forgets it.
    package func setPersonLogin(_ secret: Data, _ login: PersonLogin?) async throws {
        try await change { db in
            guard let login else {
                try db.execute(sql: "DELETE FROM personLogin WHERE secret = ?", arguments: [secret])
                return
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO personLogin (secret, usedAt, endsAt, person) VALUES (?, ?, ?, ?)",
                arguments: [secret, login.usedAt, login.endsAt, Data(login.json.encoded())])
        }
    }

    /// Forgets logins that have ended.
    package func removePersonLogins(endedBy now: Int64) async throws {
        try await change { db in
            try db.execute(sql: "DELETE FROM personLogin WHERE endsAt <= ?", arguments: [now])
        }
    }
}
