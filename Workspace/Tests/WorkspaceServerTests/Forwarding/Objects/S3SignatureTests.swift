import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Signatures of requests to a store with the interface of S3") struct S3SignatureTests {
    /// The keys of the examples in "Authenticating Requests: Using the Authorization Header", the reference of the S3 API.
    private static let published = S3Signature(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secret: Array("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8),
        region: "us-east-1")
    private static let noBody = S3Signature.digest([])

    private static func signed(_ request: S3Signature.Request) -> String {
        published.authorization(request, time: "20130524T000000Z")
    }

    private static func get(
        _ path: String, query: String = "", headers: [String: String] = [:]
    ) -> S3Signature.Request {
        let fixed = [
            "host": "examplebucket.s3.amazonaws.com", "x-amz-content-sha256": noBody, "x-amz-date": "20130524T000000Z",
        ]
        return S3Signature.Request(
            method: "GET", path: path, query: query, headers: fixed.merging(headers) { $1 }, bodyDigest: noBody)
    }

    @Test("The published example of reading an object has its published signature")
    func reading() {
        #expect(
            Self.signed(Self.get("/test.txt", headers: ["range": "bytes=0-9"]))
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("The published example of writing an object has its published signature")
    func writing() {
        let digest = S3Signature.digest(Array("Welcome to Amazon S3.".utf8))
        #expect(digest == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        let headers = [
            "date": "Fri, 24 May 2013 00:00:00 GMT", "host": "examplebucket.s3.amazonaws.com",
            "x-amz-content-sha256": digest, "x-amz-date": "20130524T000000Z",
            "x-amz-storage-class": "REDUCED_REDUNDANCY",
        ]
        let request = S3Signature.Request(
            method: "PUT", path: S3Address.encoded("/test$file.text"), headers: headers, bodyDigest: digest)
        #expect(
            Self.signed(request).hasSuffix(
                "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    @Test(
        "The published examples with parameters have their published signatures",
        arguments: [
            ("lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            ("max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ])
    func parameters(query: String, signature: String) {
        #expect(Self.signed(Self.get("/", query: query)).hasSuffix("Signature=\(signature)"))
    }

    /// The expected signature is that of botocore 1.44.8 for the same request.
    @Test("A name with spaces, marks and letters of other scripts is signed as it is sent")
    func names() throws {
        let settings = try S3Settings([
            "endpoint": "http://127.0.0.1:9000/", "bucket": "events", "prefix": "a b", "accessKey": "AK",
            "region": "eu-central-1",
        ])
        let address = try S3Address(
            "a b/Häuser & Höfe? 100%+/2026-11-24T10-0000000000000001.ndjson.gz", settings)
        #expect(
            address.address.description
                == "http://127.0.0.1:9000/events/a%20b/H%C3%A4user%20%26%20H%C3%B6fe%3F%20100%25%2B/"
                + "2026-11-24T10-0000000000000001.ndjson.gz")
        let (digest, time) = (S3Signature.digest(Array("x".utf8)), S3Signature.time(1_795_518_060_000))
        #expect(time == "20261124T110100Z")
        let headers = [
            "content-type": "application/gzip", "host": address.host, "x-amz-content-sha256": digest,
            "x-amz-date": time,
        ]
        let signature = S3Signature(accessKey: "AK", secret: Array("SK".utf8), region: settings.region)
        let request = S3Signature.Request(method: "PUT", path: address.path, headers: headers, bodyDigest: digest)
        #expect(
            signature.authorization(request, time: time)
                == "AWS4-HMAC-SHA256 Credential=AK/20261124/eu-central-1/s3/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, "
                + "Signature=c3120708b52bb4931bc77759dd5af22a223c6dda2909da0ad6101f249c1548f9")
    }

    @Test(
        "The bucket is in the path of an address or in front of its host, and the usual port is left out",
        arguments: [
            ("https://s3.example.com", true, "https://s3.example.com/events/a", "s3.example.com"),
            ("https://s3.example.com:443", false, "https://events.s3.example.com/a", "events.s3.example.com"),
            ("HTTP://S3.example.com:9000", false, "http://events.s3.example.com:9000/a", "events.s3.example.com:9000"),
            ("http://[::1]:80", true, "http://[::1]/events/a", "[::1]"),
        ])
    func addresses(endpoint: String, pathStyle: Bool, url: String, host: String) throws {
        let settings = try S3Settings([
            "endpoint": .string(endpoint), "bucket": "events", "accessKey": "AK", "pathStyle": .bool(pathStyle),
        ])
        let address = try S3Address("a", settings)
        #expect(address.address.description == url)
        #expect(address.host == host)
    }
}
