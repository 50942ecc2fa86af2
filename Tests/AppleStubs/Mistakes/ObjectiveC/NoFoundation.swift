// error: @objc needs `import Foundation`
@objc(TRIThing) public final class Thing {}
