import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// The tables that go out with a bundle.
struct TableOptions: ParsableArguments {
    /// A table in a file.
    struct Table {
        let name: String
        let path: String

        /// - Parameter text: NAME=FILE.
        init(_ text: String) throws {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw ValidationError("--table is NAME=FILE, such as sku=sku.csv")
            }
            (name, path) = (String(parts[0]), String(parts[1]))
        }

        /// The entries of the table.
        fileprivate func entries() throws(Failure) -> JSONObject {
            let kind = URL(fileURLWithPath: path).pathExtension.lowercased()
            guard ["csv", "json"].contains(kind) else {
                throw Failure("\(path.printable): the name of a file with a table ends with .csv or .json")
            }
            let bytes = [UInt8](try InputFile.read(path))
            do {
                return kind == "csv" ? try TableText.csv(bytes) : try TableText.json(bytes)
            } catch {
                let place = error.line.map { "\(path.printable):\($0)" } ?? path.printable
                throw Failure("\(place): \(error.message.printable)")
            }
        }
    }

    @Option(
        name: .customLong("table"),
        help: ArgumentHelp(
            "A table that scripts read with tables.get(NAME, key).",
            discussion: """
                A CSV file: the first line names the columns, the first column has the keys, and all values are texts. Or a JSON \
                file: an object with the values by their keys. All tables of a bundle together have at most 256 KB.
                """, valueName: "NAME=FILE"),
        transform: Table.init)
    var tables: [Table] = []

    func validate() throws {
        let names = tables.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ValidationError("--table \(twice.printable)=… is given twice")
        }
    }

    /// The tables of the files, and those of a bundle that no file replaces.
    func joined(with others: ScriptTables) throws(Failure) -> ScriptTables {
        var (given, joined) = (ScriptTables(), others)
        for table in tables {
            let entries = try table.entries()
            do {
                try given.add(entries, named: table.name)
            } catch {
                throw Failure("--table \(table.name.printable)=\(table.path.printable): \(error)")
            }
        }
        do {
            try joined.add(given)
        } catch {
            throw Failure("with the tables that stay: \(error)")
        }
        return joined
    }
}
