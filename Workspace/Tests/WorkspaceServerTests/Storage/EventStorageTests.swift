import Logging
import Testing

@testable import WorkspaceServer

@Suite("Every storage keeps to the contract") struct EventStorageTests {
    enum Kind: CaseIterable { case days }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func contract(_ kind: Kind) throws -> EventStorageContract {
        switch kind {
        case .days:
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            return EventStorageContract(storage: try SQLiteDays(DataFolder(path: folder.path), logger: logger))
        }
    }

    @Test(arguments: Kind.allCases) func aRepeatedBlockChangesNothing(_ kind: Kind) async throws {
        try await contract(kind).aRepeatedBlockChangesNothing()
    }

    @Test(arguments: Kind.allCases) func theBacklogIsCounted(_ kind: Kind) async throws {
        try await contract(kind).theBacklogIsCounted()
    }

    @Test(arguments: Kind.allCases) func sourcesAreApart(_ kind: Kind) async throws {
        try await contract(kind).sourcesAreApart()
    }

    @Test(arguments: Kind.allCases) func pagesGoOverDays(_ kind: Kind) async throws {
        try await contract(kind).pagesGoOverDays()
    }

    @Test(arguments: Kind.allCases) func valuesAreFound(_ kind: Kind) async throws {
        try await contract(kind).valuesAreFound()
    }

    @Test(arguments: Kind.allCases) func aTraceIsReplaced(_ kind: Kind) async throws {
        try await contract(kind).aTraceIsReplaced()
    }

    @Test(arguments: Kind.allCases) func aDayIsForgotten(_ kind: Kind) async throws {
        try await contract(kind).aDayIsForgotten()
    }

    @Test(arguments: Kind.allCases) func aPersonIsErased(_ kind: Kind) async throws {
        try await contract(kind).aPersonIsErased()
    }

    @Test(arguments: Kind.allCases) func aSourceIsForgotten(_ kind: Kind) async throws {
        try await contract(kind).aSourceIsForgotten()
    }

    @Test(arguments: Kind.allCases) func countsAreThoseOfTheEvents(_ kind: Kind) async throws {
        try await contract(kind).countsAreThoseOfTheEvents()
    }

    @Test(arguments: Kind.allCases) func propertiesAreCounted(_ kind: Kind) async throws {
        try await contract(kind).propertiesAreCounted()
    }

    @Test(arguments: Kind.allCases) func namesBeyondTheLimitAreCountedTogether(_ kind: Kind) async throws {
        try await contract(kind).namesBeyondTheLimitAreCountedTogether()
    }

    @Test(arguments: Kind.allCases) func identitiesAreTold(_ kind: Kind) async throws {
        try await contract(kind).identitiesAreTold()
    }
}
