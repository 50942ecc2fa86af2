#if canImport(UIKit) && !os(watchOS)
import UIKit

/// The app's object, found in a way that is also allowed in extensions. An extension has none.
enum SharedApplication {
    static var current: UIApplication? {
        #if canImport(ObjectiveC)
        let selector = NSSelectorFromString("sharedApplication")
        guard UIApplication.responds(to: selector) else { return nil }
        return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
        #else
        return nil
        #endif
    }

    /// A scene of the app with windows.
    @MainActor static var scene: UIWindowScene? {
        current?.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }.first
    }
}
#endif
