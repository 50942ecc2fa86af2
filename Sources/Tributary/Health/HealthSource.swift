/// A plugin of the library that counts what its scripts do. Only used on the client's executor.
package protocol HealthSource: AnyObject {
    /// The counts since the last call, for each version.
    func takeHealth() -> [VersionHealth]
}
