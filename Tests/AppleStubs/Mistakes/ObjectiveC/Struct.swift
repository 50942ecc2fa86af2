// error: Objective-C knows no struct
import Foundation

@objc public struct Thing {}
