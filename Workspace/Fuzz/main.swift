import CFuzzer

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
    IngestFuzzing.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
if status != 0 { fatalError("libFuzzer ended with \(status)") }
