#if canImport(SwiftUI)
import Foundation
import SwiftUI

/// The page of the workspace with the events of this device: as a link, and as a QR code where the system can draw one.
struct WorkspaceLink: View {
    let page: URL

    var body: some View {
        VStack(alignment: .leading) {
            if #available(iOS 14, macOS 11, tvOS 14, watchOS 7, *) {
                Link(destination: page) { Text(verbatim: page.absoluteString) }
            } else {
                Text(verbatim: page.absoluteString)
            }
            #if canImport(CoreImage)
            if let code = QRCode.image(of: page.absoluteString) {
                Image(decorative: code, scale: 1).interpolation(.none).resizable().frame(width: 180, height: 180)
            }
            #endif
        }
    }
}
#endif
