import Foundation
import TributaryJSON

/// The app's version that another library saw last. With one, the app does not count as newly installed.
struct LegacySDKApplication: Equatable, Sendable {
    var version: String?
    var build: String?

    init?(version: String?, build: String?) {
        guard version != nil || build != nil else { return nil }
        self.version = version
        self.build = build
    }

    /// - Parameter preference: a value of the app's own domain. Both libraries use the same keys. An old version kept
    ///   the build as a number under another key.
    init?(preference: (_ key: String) -> Any?) {
        let oldBuild = (preference("SEGBuildKey") as? NSNumber)?.stringValue
        self.init(
            version: LegacySDKUser.id(preference("SEGVersionKey") as? String),
            build: LegacySDKUser.id(preference("SEGBuildKeyV2") as? String) ?? oldBuild)
    }
}
