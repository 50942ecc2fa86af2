import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Settings of a store with the interface of S3") struct S3SettingsTests {
    private static let whole: JSONObject = [
        "endpoint": "https://s3.example.com", "bucket": "events", "accessKey": "AKIAEXAMPLE",
    ]

    @Test("Missing settings get their defaults, and slashes at the end are left out")
    func defaults() throws {
        var settings = Self.whole
        #expect(
            try S3Settings(settings).json == [
                "endpoint": "https://s3.example.com", "bucket": "events", "prefix": "", "region": "us-east-1",
                "accessKey": "AKIAEXAMPLE", "pathStyle": true, "format": "ndjson",
            ])
        settings["endpoint"] = "https://s3.example.com/"
        settings["prefix"] = "tributary/raw/"
        #expect(try S3Settings(settings).endpoint.description == "https://s3.example.com")
        #expect(try S3Settings(settings).prefix == "tributary/raw")
        settings["format"] = "parquet"
        #expect(try S3Settings(settings).format == .parquet(columns: nil))
        settings["columns"] = "name,properties.total:double"
        #expect(try S3Settings(settings).json["columns"] == "name,properties.total:double")
    }

    @Test(
        "Invalid settings are refused with the reason",
        arguments: [
            ("endpoint", nil, "needs endpoint"), ("bucket", nil, "needs bucket"), ("accessKey", nil, "needs accessKey"),
            ("endpoint", 7, "endpoint is a text"), ("endpoint", "s3.example.com", "begins with"),
            ("endpoint", "ftp://s3.example.com", "begins with"), ("endpoint", "https://", "names a host"),
            ("endpoint", "https://s3.example.com/path", "is only"),
            ("endpoint", "https://u:p@s3.example.com", "is only"),
            ("endpoint", "https://s3.example.com?x=1", "is only"),
            ("endpoint", .string("https://" + String(repeating: "a", count: 2_048)), "at most 2048 bytes"),
            ("bucket", "ab", "3 to 63"), ("bucket", "..", "3 to 63"), ("bucket", "...", "begins with a letter"),
            ("bucket", "a/b", "letters, digits"), ("bucket", "eventsé", "letters, digits"),
            ("bucket", .string(String(repeating: "a", count: 64)), "3 to 63"),
            ("region", "", "a region has"), ("region", "eu/central", "a region has"),
            ("region", "eu\r\nX: 1", "a region has"), ("prefix", "/a", "not empty"), ("prefix", "a//b", "not empty"),
            ("prefix", "../a", "points alone"), ("prefix", "a\u{202E}b", "direction of writing"),
            ("prefix", .string(String(repeating: "a", count: 513)), "at most 512 bytes"),
            ("accessKey", "", "accessKey has"), ("accessKey", "a/b", "no space, slash"),
            ("accessKey", "a\r\nb", "visible ASCII"), ("accessKey", "a,b", "comma"),
            ("pathStyle", "yes", "true or false"),
            ("secret", "SK", "no setting secret"), ("format", "csv", "ndjson or parquet"),
            ("format", 7, "format is a text"),
            ("columns", "name", "for the format parquet"),
        ] as [(String, JSON?, String)])
    func refused(name: String, value: JSON?, reason: String) throws {
        var settings = Self.whole
        settings[name] = value
        #expect { try S3Settings(settings) } throws: { ($0 as? Refusal)?.message.contains(reason) == true }
    }

    @Test("A secret access key is a text of visible ASCII characters")
    func secrets() throws {
        #expect(try S3Settings.secret("wJalr/+=") == Array("wJalr/+=".utf8))
        for text in ["", "a b", "a\n", "é", String(repeating: "a", count: 257)] {
            #expect { try S3Settings.secret(text) } throws: {
                ($0 as? Refusal)?.message.contains("1 to 256 visible ASCII") == true
            }
        }
    }
}
