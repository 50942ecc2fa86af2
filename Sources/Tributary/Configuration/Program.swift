import Foundation

/// The program that the client runs in: an app, an app extension or any other program.
struct Program: Sendable, Equatable {
    /// The name, which differs from those of the other programs of an app group.
    let name: String
    let isExtension: Bool

    init(name: String, isExtension: Bool) {
        self.name = name
        self.isExtension = isExtension
    }

    /// - Parameter extensionPoint: the extension point that an extension declares. The extension of a watch app counts
    ///   as an app.
    init(bundleIdentifier: String?, bundlePath: String, extensionPoint: String?) {
        name = bundleIdentifier ?? ""
        isExtension = bundlePath.hasSuffix(".appex") && extensionPoint != "com.apple.watchkit"
    }

    static let current = Program(
        bundleIdentifier: Bundle.main.bundleIdentifier, bundlePath: Bundle.main.bundlePath,
        extensionPoint: (Bundle.main.object(forInfoDictionaryKey: "NSExtension") as? [String: Any])?[
            "NSExtensionPointIdentifier"] as? String)

    /// The warning for an app extension that does not share its app's folder; nil for all other programs.
    func warning(_ mode: StorageMode) -> String? {
        guard isExtension, case .disk = mode else { return nil }
        return
            "this is an app extension with a folder of its own: its user is not the app's user, and events that it cannot send "
            + "wait until it runs again. With an app group, use storageMode(.sharedContainer(…)) in both"
    }
}
