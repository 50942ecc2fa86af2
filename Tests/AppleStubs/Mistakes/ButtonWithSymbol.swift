// error: is only available in iOS 14.0
// system: iOS
import SwiftUI

@MainActor func button() -> some View { Button("Buy", systemImage: "cart") {} }
