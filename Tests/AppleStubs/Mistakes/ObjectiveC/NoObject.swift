// error: a class for Objective-C inherits from NSObject
import Foundation

@objc(TRIThing) public final class Thing {}
