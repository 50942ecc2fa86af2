// error: capture of 'key' with non-Sendable type 'LocalizedStringKey' in a '@Sendable' closure
// system: iOS
import SwiftUI

func later(_ key: LocalizedStringKey, _ work: (@Sendable @escaping () -> Void) -> Void) { work { _ = key } }
