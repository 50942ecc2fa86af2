import WorkspaceCore
import WorkspaceServer

/// Turns failures of data folders into failures of a command.
enum DataFailure {
    static func translated(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch let error as WorkspaceError {
            throw Failure(error.description)
        }
    }
}
