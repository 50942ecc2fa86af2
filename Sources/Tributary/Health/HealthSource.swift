/// A plugin of the library that counts what its scripts or rules do. Only used on the client's executor.
package protocol HealthSource: AnyObject {
    /// The counts since the last call, for each version.
    func takeHealth() -> [HealthPart]
}
