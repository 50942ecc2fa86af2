// Apple's network framework, as far as the client uses it.
@_exported public import Darwin
public import Dispatch

// Not read: network/nwpath
public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public var status: Status
    public var isExpensive: Bool
    public var isConstrained: Bool
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { false }
}

// Not read: network/nwinterface
public struct NWInterface: Sendable {
    public enum InterfaceType: Sendable { case other, wifi, cellular, wiredEthernet, loopback }
}

// https://developer.apple.com/documentation/network/nwpathmonitor: its page does not say that it is Sendable.
// https://developer.apple.com/documentation/network/nwpathmonitor/pathupdatehandler
@available(iOS 12.0, macOS 10.14, tvOS 12.0, watchOS 5.0, *)
public final class NWPathMonitor {
    public init() {}
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
