import Foundation
import Testing

@testable import Tributary

@Suite("The folder of an app's data")
struct StorageLocationTests {
    private let shared = URL(fileURLWithPath: "/Users/u/Library/Application Support")

    private func folder(_ bundleIdentifier: String?, home: String = "/Users/u") -> String {
        StorageLocation.ownFolder(in: shared, bundleIdentifier: bundleIdentifier, home: home).path
    }

    @Test("Two Mac apps outside of the sandbox have folders of their own")
    func apart() {
        #expect(folder("com.example.one") == shared.path + "/com.example.one")
        #expect(folder("com.example.two") == shared.path + "/com.example.two")
        #expect(folder("a/b") == shared.path + "/a_2fb")
    }

    @Test("A sandboxed app uses its own folder, and a program without a name uses the user's folder")
    func shared_() {
        let home = "/Users/u/Library/Containers/com.example.one/Data"
        #expect(folder("com.example.one", home: home) == shared.path)
        #expect(folder(nil) == shared.path)
    }
}
