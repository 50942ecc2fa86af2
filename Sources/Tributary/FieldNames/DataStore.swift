public import Foundation

/// A store for events that wait to be sent, in the form of analytics-swift.
///
/// A client of this library takes an ``EventStore`` instead (`StorageMode.custom`): besides processed events it keeps those
/// that were not processed yet, who the user is and what they consented to, so nothing of it is lost in a crash. The
/// protocol is here so that an app's store compiles until it is moved.
public protocol DataStore {
    /// Names what a store gave out, so that it can be removed.
    typealias ItemID = any Equatable
    /// What a store is made of.
    associatedtype StoreConfiguration

    /// Whether events wait.
    var hasData: Bool { get }
    /// How many events, or files of events, wait.
    var count: Int { get }
    /// In which form events come out.
    var transactionType: DataTransactionType { get }
    /// A store that is set up like this.
    init(configuration: StoreConfiguration)
    /// Forgets all events.
    func reset()
    /// Adds an event at the end.
    func append(data: any RawEvent)
    /// The oldest events, as a batch of the protocol.
    func fetch(count: Int?, maxBytes: Int?, offset: Int) -> DataResult?
    /// Forgets what was fetched.
    func remove(data: [ItemID])
}

/// In which form the events of a ``DataStore`` come out.
public enum DataTransactionType: Sendable {
    /// As bytes.
    case data
    /// As files.
    case file
}

/// What a ``DataStore`` gives out, and what to remove when it has arrived.
public struct DataResult {
    /// A batch of the protocol.
    public let data: Data?
    /// Files with a batch each.
    public let dataFiles: [URL]?
    /// Names what was given out.
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
    /// Not there: a `DataStore` holds processed events only, and an app would lose those that were not processed, who the
    /// user is and their consent.
    @available(*, unavailable, message: "give an EventStore, which keeps identity and consent as well as events")
    public static func custom(_ store: any DataStore) -> StorageMode { .memory(Limits.memoryEvents) }
}
