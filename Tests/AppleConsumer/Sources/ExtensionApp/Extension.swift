import Foundation
import Tributary

/// A share extension, which has the folder of its app group.
func report(from group: String) {
    let configuration = Configuration(writeKey: "KEY")
    if let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) {
        configuration.storageMode(.sharedContainer(folder))
    }
    Analytics(configuration: configuration).track(name: "Shared")
}
