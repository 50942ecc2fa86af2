/// Middleware that is made of what the settings say; it takes the place of all other middleware of a configuration.
public protocol EdgeFunctionMiddleware: AnyObject {
    /// What sees every call.
    var sourceMiddleware: [any Middleware]? { get }
    /// What sees the calls of single destinations.
    var destinationMiddleware: [DestinationMiddleware]? { get }
    /// Called on the client's executor with each settings document that has an `edgeFunction`.
    func setEdgeFunctionData(_ data: [AnyHashable: Any]?)
    /// Gives the functions a value.
    func addToDataBridge(key: String, value: Any)
    /// Takes a value from the functions.
    func removeFromDataBridge(key: String)
    /// The values that functions can see.
    func dataBridgeSnapshot() -> [String: Any]
}
