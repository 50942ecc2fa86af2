import Foundation

/// Runs the benchmark that the command line names: `NAME JSON`, its parameters as an object.
///
/// The programs of this package are started by `scripts/bench`, which knows the names and the parameters.
public struct Job {
    private let name: String
    private let parameters: Data

    public init(arguments: [String] = CommandLine.arguments) throws {
        guard arguments.count == 3 else { throw Failure("started by scripts/bench: \(arguments[0]) NAME JSON") }
        name = arguments[1]
        parameters = Data(arguments[2].utf8)
    }

    /// Runs `work` with its parameters if the command line names it.
    public func on<Parameters: Decodable>(_ name: String, _ work: (Parameters) throws -> Void) throws {
        guard name == self.name else { return }
        try work(try JSONDecoder().decode(Parameters.self, from: parameters))
        exit(EXIT_SUCCESS)
    }

    /// Ends the process, because nothing was run.
    public func failUnknown() -> Never {
        fail(Failure("there is no benchmark \(name)"))
    }
}

/// Ends the process with an error on the standard error output.
public func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(EXIT_FAILURE)
}
