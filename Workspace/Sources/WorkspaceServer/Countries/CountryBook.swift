package import Logging
import Synchronization
import TributaryJSON
package import WorkspaceCore

/// The database of countries that is in use, and whether its file was replaced. May be used from any thread.
package final class CountryBook: Sendable {
    private struct State {
        var database: CountryDatabase
        /// The file that was read last, also one with wrong content; nil after a failure to read one.
        var read: CountryFile.Stamp?
        /// The file at the latest look.
        var seen: CountryFile.Stamp?
        /// Why the present file is not in use; nil when it is.
        var problem: String?
    }

    private let file: CountryFile
    private let logger: Logger
    private let state: Mutex<State>

    /// - Throws: `WorkspaceError` when the file cannot be used. A wrong path is noticed at the start that way.
    package init(path: String, logger: Logger) throws(WorkspaceError) {
        (file, self.logger) = (CountryFile(path: path), logger)
        do throws(CountryFile.Failure) {
            let (stamp, database) = try file.read()
            state = Mutex(State(database: database, read: stamp))
        } catch {
            throw WorkspaceError(
                .countryDatabase, "the database of countries \(path) cannot be used: \(error.description)")
        }
        log("countries come from this database")
    }

    /// The database that is in use.
    var database: CountryDatabase { state.withLock { $0.database } }

    /// Why the present file is not in use; nil when it is.
    var problem: String? { state.withLock { $0.problem } }

    /// For operators: which database is in use, and whether its file is another one by now.
    var json: JSON {
        let (database, problem) = state.withLock { ($0.database, $0.problem) }
        return [
            "type": .string(database.type), "built": .string("\(database.day)"),
            "problem": problem.map(JSON.string) ?? .null,
        ]
    }

    private func log(_ text: Logger.Message) {
        let database = database
        logger.notice(
            text, metadata: ["file": "\(file.path)", "type": "\(database.type)", "built": "\(database.day)"])
    }

    // MARK: Another file

    /// Takes over a file that was replaced. With one that cannot be used, the database stays as it is.
    ///
    /// A file has to be the same at two looks, because one that is copied over the old one is in pieces meanwhile.
    func look() {
        do throws(CountryFile.Failure) {
            let stamp = try file.stamp()
            let isNew = state.withLock { state in
                defer { state.seen = stamp }
                return state.read != stamp && state.seen == stamp
            }
            guard isNew else { return }
            let (read, database) = try file.read()
            state.withLock { ($0.database, $0.read, $0.problem) = (database, read, nil) }
            log("countries come from another database now")
        } catch {
            keep(because: error)
        }
    }

    private func keep(because failure: CountryFile.Failure) {
        let isKnown = state.withLock { state in
            defer { (state.read, state.problem) = (failure.stamp, failure.description) }
            return state.problem == failure.description
        }
        guard !isKnown else { return }
        logger.error(
            "the database of countries cannot be used as it is now; the one before stays in use",
            metadata: ["file": "\(file.path)", "error": "\(failure.description)"])
    }
}
