public import Foundation

/// A store for events that wait to be sent, in the form of analytics-swift.
///
/// A client of this library takes an ``EventStore`` instead (`StorageMode.custom`). An `EventStore` also keeps
/// unprocessed events, the identity and the consent, so a crash loses none of them. This protocol exists so that an
/// app's store compiles until the app has moved.
public protocol DataStore {
    /// Identifies items that a store returned, so that they can be removed.
    typealias ItemID = any Equatable
    /// The configuration of a store.
    associatedtype StoreConfiguration

    /// Whether events wait.
    var hasData: Bool { get }
    /// The number of waiting events, or of files of events.
    var count: Int { get }
    /// The form in which the store returns events.
    var transactionType: DataTransactionType { get }
    /// A store with that configuration.
    init(configuration: StoreConfiguration)
    /// Removes all events.
    func reset()
    /// Adds an event at the end.
    func append(data: any RawEvent)
    /// The oldest events, as a batch of the protocol.
    func fetch(count: Int?, maxBytes: Int?, offset: Int) -> DataResult?
    /// Removes items that `fetch` returned.
    func remove(data: [ItemID])
}

/// The form in which a ``DataStore`` returns events.
public enum DataTransactionType: Sendable {
    /// As bytes.
    case data
    /// As files.
    case file
}

/// The result of ``DataStore/fetch(count:maxBytes:offset:)``.
public struct DataResult {
    /// A batch of the protocol, as bytes.
    public let data: Data?
    /// Files with one batch each.
    public let dataFiles: [URL]?
    /// Identifies the returned items.
    public let removable: [any Equatable]?

    /// A batch as bytes.
    public init(data: Data?, removable: [any Equatable]?) {
        self.data = data
        dataFiles = nil
        self.removable = removable
    }

    /// Batches in files.
    public init(dataFiles: [URL]?, removable: [any Equatable]?) {
        data = nil
        self.dataFiles = dataFiles
        self.removable = removable
    }
}

extension StorageMode {
    /// Not available: a `DataStore` holds only processed events. The client would lose unprocessed events, the identity
    /// and the consent in a crash.
    @available(*, unavailable, message: "give an EventStore, which keeps identity and consent as well as events")
    public static func custom(_ store: any DataStore) -> StorageMode { .memory(Limits.memoryEvents) }
}
