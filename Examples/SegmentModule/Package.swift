// swift-tools-version: 6.0
import PackageDescription

// A module with the name that vendors' plugins for analytics-swift import. Outside of this repository the dependency is
// its address and a version.
let package = Package(
    name: "SegmentModule",
    platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v7), .visionOS(.v1)],
    products: [.library(name: "Segment", targets: ["Segment"])],
    dependencies: [.package(name: "tributary", path: Context.environment["TRIBUTARY"] ?? "../..")],
    targets: [.target(name: "Segment", dependencies: [.product(name: "Tributary", package: "tributary")])]
)
