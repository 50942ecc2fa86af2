import Crypto

@testable import WorkspaceCore
@testable import WorkspaceServer

extension HealthSample {
    /// Adds a report of the device with a name.
    @discardableResult
    mutating func add(
        _ health: DeviceHealth, of device: String, report number: Int64, isEarly: Bool = false, in came: Int? = nil,
        keepingSums isKept: Bool = false
    ) -> Bool {
        let key = SymmetricKey(data: Array("key of the tests".utf8))
        return add(
            health, at: Self.digest(device, key), report: number, isEarly: isEarly, in: came, keepingSums: isKept)
    }
}
