// error: is only available in iOS 17.0
// system: iOS
import SwiftUI

@available(iOS 15.0, *)
@MainActor func button(_ image: ImageResource) -> some View { Button("Buy", image: image) {} }
