import Synchronization

@testable import WorkspaceCore
@testable import WorkspaceServer

extension Store {
    /// Opens a folder; sources get the numbers 1, 2, 3 …, so that rows of tests can name them.
    static func testing(_ folder: DataFolder) throws -> Store {
        try Store(folder: folder, makeSourceId: WorkspaceEnvironment.counted())
    }

    static func testing(_ folder: TemporaryFolder) throws -> Store {
        try testing(DataFolder(path: folder.path))
    }
}

extension WorkspaceEnvironment {
    /// The environment of the system, but sources get the numbers 1, 2, 3 …
    static var testing: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.system
        environment.makeSourceId = counted()
        return environment
    }

    static func counted() -> @Sendable () -> Int64 {
        let counter = Counter()
        return { counter.next() }
    }

    private final class Counter: Sendable {
        private let value = Mutex<Int64>(0)

        func next() -> Int64 {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }
}
