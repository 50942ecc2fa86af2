// error: is only available in iOS 15.0
// system: iOS
import SwiftUI

@available(iOS 14.0, *)
@MainActor func button() -> some View { Button("Buy", systemImage: "cart", role: nil) {} }
