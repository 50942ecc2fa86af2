import ArgumentParser
import TributaryJSON

/// The options of a destination that writes objects into a store with the interface of S3, or files.
struct ObjectStoreOptions: ParsableArguments {
    @Option(help: "Bucket that gets the objects.")
    var bucket: String?

    @Option(help: "Prefix of the names of all objects; empty when it was never set.")
    var prefix: String?

    @Option(help: "Region of the bucket; us-east-1 when it was never set.")
    var region: String?

    @Option(help: "Access key, of which the secret access key is in --secret-file.")
    var accessKey: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether addresses have the bucket in their path, and not before the host; true when it was never set."
    )
    var pathStyle: Bool?

    @Option(help: "Format of the objects or files: ndjson or parquet; ndjson when it was never set.")
    var format: String?

    @Option(
        help:
            "Columns of objects or files in Parquet, as export has them: name,properties.total:double. The usual ones when it was never set."
    )
    var columns: String?

    var isEmpty: Bool { isForFiles && [format, columns].allSatisfy { $0 == nil } }

    /// Whether no option is for a store alone.
    var isForFiles: Bool { [bucket, prefix, region, accessKey].allSatisfy { $0 == nil } && pathStyle == nil }

    /// Writes the given options into settings.
    func apply(to settings: inout JSONObject) {
        let texts = [
            ("bucket", bucket), ("prefix", prefix), ("region", region), ("accessKey", accessKey), ("format", format),
            ("columns", columns),
        ]
        for (name, value) in texts {
            if let value { settings[name] = .string(value) }
        }
        // Columns are for Parquet only.
        if format == "ndjson", columns == nil { settings["columns"] = Optional.none }
        if let pathStyle { settings["pathStyle"] = .bool(pathStyle) }
    }
}
