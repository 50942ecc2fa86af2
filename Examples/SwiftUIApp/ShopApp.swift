import SwiftUI
import Tributary

/// The app's own client: one for all of it, made at its first use.
extension Analytics {
    static let main: Analytics = {
        let analytics = Analytics(
            configuration: Configuration(writeKey: "YOUR_WRITE_KEY")
                .apiHost("https://analytics.example.com/v1")
                .cdnHost("https://analytics.example.com/v1")
                .consent(.pending))
        analytics.add(plugin: Sessions())
        return analytics
    }()
}

/// A shop with one shelf, a basket and a question about consent.
@main
struct ShopApp: App {
    var body: some Scene {
        WindowGroup {
            ShelfView()
        }
    }
}
