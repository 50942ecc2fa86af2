import ArgumentParser

/// Makes a folder with a source function to begin with.
struct SourceFunctionNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Makes a folder with a source function and test vectors that pass.",
        discussion: "In an existing folder, the command writes only the files that are missing.")

    @Argument(help: "The name of the function's class, such as Payments.") var name: String

    @Argument(help: "The folder.", completion: .directory) var folder: String

    func validate() throws { try ClassName.check(name) }

    func run() throws {
        try NewFolder(path: folder).write([
            (FunctionFolder.codeFile, Self.code(name: name)), (FunctionFolder.vectorsFile, Self.vectors),
        ])
        print("try it: tributary source function test \(folder)")
    }

    private static func code(name: String) -> String {
        """
        // Makes an event of each order that a service reports.
        class \(name) extends Source {
          static settings = { currency: { description: "Currency of the amounts", default: "EUR" } };
          static secrets = { signingSecret: { description: "Secret with which the service signs", required: true } };
          // The server checks this before the script gets a request.
          static verification = { scheme: "hmac-sha256", header: "X-Signature", secret: "signingSecret" };

          onRequest({ json }, settings) {
            if (json?.kind !== "order.paid") return null;
            return {
              type: "track", event: "Order Completed", userId: String(json.customer),
              // The same for a repeated request, so that the event is stored once.
              messageId: `order-${json.id}`,
              properties: { order_id: String(json.id), total: json.amount / 100, currency: settings.currency },
            };
          }
        }

        """
    }

    private static let vectors = """
        [
          {
            "name": "a paid order becomes an event",
            "secrets": { "signingSecret": "secret of the test" },
            "signed": true,
            "request": { "body": { "kind": "order.paid", "id": 17, "customer": "u-1", "amount": 4250 } },
            "events": [
              {
                "type": "track", "event": "Order Completed", "userId": "u-1", "messageId": "order-17",
                "properties": { "order_id": "17", "total": 42.5, "currency": "EUR" }
              }
            ]
          },
          {
            "name": "other requests make no event",
            "secrets": { "signingSecret": "secret of the test" },
            "signed": true,
            "request": { "body": { "kind": "order.made", "id": 17 } },
            "events": []
          },
          {
            "name": "a wrong signature is refused",
            "secrets": { "signingSecret": "secret of the test" },
            "request": { "headers": { "X-Signature": "00" }, "body": { "kind": "order.paid", "id": 17 } },
            "status": 401
          }
        ]

        """
}
