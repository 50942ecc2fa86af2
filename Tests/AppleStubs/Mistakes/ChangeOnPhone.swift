// error: deprecated in iOS 17.0
// system: iOS newest
import SwiftUI

@MainActor func watch(_ text: String) -> some View { Text(text).onChange(of: text) { _ in } }
