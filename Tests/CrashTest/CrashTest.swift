import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Kills clients and looks whether the server holds what they promised to deliver.
@main
enum CrashTest {
    static func main() {
        do {
            let command = try Command(arguments: Array(CommandLine.arguments.dropFirst()))
            exit(try command.run() ? 0 : 1)
        } catch let error as Command.Mistake {
            FileHandle.standardError.write(Data("crash-test: \(error.message)\n".utf8))
            exit(64)
        } catch {
            FileHandle.standardError.write(Data("crash-test: \(error)\n".utf8))
            exit(1)
        }
    }
}
