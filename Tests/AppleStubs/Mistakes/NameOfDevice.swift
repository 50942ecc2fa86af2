// error: cannot assign to property: 'name' setter is inaccessible
// system: iOS
import UIKit

@MainActor func rename() { UIDevice.current.name = "Mine" }
