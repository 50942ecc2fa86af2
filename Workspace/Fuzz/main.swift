import CFuzzer
import Foundation

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let isPages = ProcessInfo.processInfo.environment["FUZZ_TARGET"] == "pages"
let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    if isPages { PageFuzzing.run(bytes) } else { IngestFuzzing.run(bytes) }
    return 0
}
if status != 0 { fatalError("libFuzzer ended with \(status)") }
