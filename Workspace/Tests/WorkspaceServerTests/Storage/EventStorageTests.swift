import Logging
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The storage of days keeps to the contract of storages") struct EventStorageTests {
    private let folder: TemporaryFolder
    private let contract: EventStorageContract

    init() throws {
        folder = try TemporaryFolder()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        contract = EventStorageContract(storage: try SQLiteDays(DataFolder(path: folder.path), logger: logger))
    }

    @Test(
        "The storage of days obeys the rules of the contract",
        arguments: EventStorageContract.Rule.allCases)
    func keepsTo(_ rule: EventStorageContract.Rule) async throws {
        try await contract.check(rule)
    }

    @Test("A name that gets a free place of a day has all of its events there") func fullDay() async throws {
        try await contract.freePlacesAreTakenWhole()
    }
}
