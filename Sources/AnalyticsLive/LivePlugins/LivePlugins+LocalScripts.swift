import Foundation

/// Scripts in files of the app, which run before the bundle.
extension LivePlugins {
    /// The scripts that can be read; a diagnostic names the others.
    func localScripts() -> [(name: String, source: String)] {
        localJSURLs.compactMap { file in
            let name = file.lastPathComponent
            do {
                let bytes = [UInt8](try Data(contentsOf: file))
                guard bytes.count <= LivePluginLimits.bundleBytes, let source = BundleCheck.text(bytes) else {
                    report("the script \(name) is not UTF-8 of at most \(LivePluginLimits.bundleBytes) bytes")
                    return nil
                }
                return (name, source)
            } catch {
                report("the script \(name) cannot be read: \(error.localizedDescription)")
                return nil
            }
        }
    }
}
