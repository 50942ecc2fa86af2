import CFuzzer
import Foundation

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let run =
    switch ProcessInfo.processInfo.environment["FUZZ_TARGET"] {
    case "pages": PageFuzzing.run
    case "countries": CountryFuzzing.run
    default: IngestFuzzing.run
    }
let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
    run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
if status != 0 { fatalError("libFuzzer ended with \(status)") }
