import CFuzzer
import Foundation

// libFuzzer has the arguments to itself, so the target is named by the environment.
let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
guard FuzzTarget(rawValue: name) != nil else {
    FileHandle.standardError.write(
        Data("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))\n".utf8))
    exit(64)
}
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        runChosen(UnsafeBufferPointer(start: data, count: size))
        return 0
    })
