import ArgumentParser
import TributaryJSON

/// The options of a destination that writes objects into a store with the interface of S3.
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

    var isEmpty: Bool {
        [bucket, prefix, region, accessKey].allSatisfy { $0 == nil } && pathStyle == nil
    }

    /// Writes the given options into settings.
    func apply(to settings: inout JSONObject) {
        for (name, value) in [("bucket", bucket), ("prefix", prefix), ("region", region), ("accessKey", accessKey)] {
            if let value { settings[name] = .string(value) }
        }
        if let pathStyle { settings["pathStyle"] = .bool(pathStyle) }
    }
}
