import Foundation
import Tributary

let file = FileManager.default.temporaryDirectory.appendingPathComponent("size")
print(try JSONEncoder().encode(["at": Date().timeIntervalSince1970]).count, file.path)
let analytics = Analytics(configuration: Configuration(writeKey: "KEY"))
analytics.track(name: "Size", properties: ["total": 42])
