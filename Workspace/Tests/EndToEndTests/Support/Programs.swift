import Foundation

/// The programs of this build; they lie beside the test bundle.
enum Programs {
    static var folder: URL {
        #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return bundle?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".build/debug")
        #else
        return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        #endif
    }

    static var tributary: URL { folder.appendingPathComponent("tributary") }
    static var storefront: URL { folder.appendingPathComponent("storefront") }
    static var fleet: URL { folder.appendingPathComponent("tributary-fleet") }
    static var demo: URL { folder.appendingPathComponent("tributary-demo") }

    /// The repository, by the place of this file.
    static let repository = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../..").standardizedFileURL
}
