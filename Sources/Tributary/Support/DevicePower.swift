import Foundation

/// The state of the device's power supply.
package enum DevicePower {
    /// Whether the device saves power now (Low Power Mode). Always false on systems without such a mode.
    package static var isSaved: Bool {
        #if canImport(Darwin)
        guard #available(macOS 12.0, *) else { return false }
        return ProcessInfo.processInfo.isLowPowerModeEnabled
        #else
        return false
        #endif
    }
}
