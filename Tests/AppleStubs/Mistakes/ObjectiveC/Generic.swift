// error: Objective-C knows no generic function
import Foundation

public final class Thing: NSObject {
    @objc public func take<T>(_ value: T) {}
}
