import ArgumentParser
import Foundation
import WorkspaceCore

/// Makes a folder with a destination function to begin with.
struct DestinationNewFunction: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-function",
        abstract: "Makes a folder with a destination function and test vectors that pass.",
        discussion: "In an existing folder, the command writes only the files that are missing.")

    @Argument(help: "The name of the function's class, such as OrderMessages.") var name: String

    @Argument(help: "The folder.", completion: .directory) var folder: String

    func validate() throws {
        guard name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else {
            throw ValidationError("\(name) cannot be the name of a class; use letters, digits and _")
        }
    }

    func run() throws {
        let place = URL(fileURLWithPath: folder)
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        } catch {
            throw Failure("\(folder) cannot be made: \(SystemReason.text(error))")
        }
        let files = [
            (FunctionFolder.codeFile, FunctionTemplate.code(name: name)),
            (FunctionFolder.vectorsFile, FunctionTemplate.vectors),
        ]
        for (file, text) in files { try write(text, to: place.appendingPathComponent(file), as: "\(folder)/\(file)") }
        print("try it: tributary destination test-function \(folder)")
    }

    private func write(_ text: String, to file: URL, as name: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: file, options: .withoutOverwriting)
            print("\(name) written")
        } catch CocoaError.fileWriteFileExists {
            print("\(name) is there already")
        } catch {
            throw Failure("\(name) cannot be written: \(SystemReason.text(error))")
        }
    }
}
