/// Middleware that is made from the settings. It replaces all other middleware of a configuration.
public protocol EdgeFunctionMiddleware: AnyObject {
    /// Middleware for every call.
    var sourceMiddleware: [any Middleware]? { get }
    /// Middleware for single destinations.
    var destinationMiddleware: [DestinationMiddleware]? { get }
    /// Called on the client's executor with each settings document that has an `edgeFunction`.
    func setEdgeFunctionData(_ data: [AnyHashable: Any]?)
    /// Gives the functions a value.
    func addToDataBridge(key: String, value: Any)
    /// Removes a value from the functions.
    func removeFromDataBridge(key: String)
    /// The values that functions can see.
    func dataBridgeSnapshot() -> [String: Any]
}
