// error: is only available in tvOS 16.0
// system: tvOS
import SwiftUI

@MainActor func stack() -> some View { NavigationStack { Text("Shop") } }
