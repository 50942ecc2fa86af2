import Foundation

private let chosen = FuzzTarget(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "")

/// Gives the bytes to the parser that was chosen.
func runChosen(_ bytes: UnsafeBufferPointer<UInt8>) { chosen?.run(Array(bytes)) }
