// error: Objective-C knows no tuple
import Foundation

public final class Thing: NSObject {
    @objc public func pair() -> (Int, Int) { (1, 2) }
}
