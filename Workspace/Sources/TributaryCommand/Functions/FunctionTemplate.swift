/// The files of a new destination function.
enum FunctionTemplate {
    /// - Parameter name: that of the class.
    static func code(name: String) -> String {
        """
        // Sends each track event to a service as a message.
        class \(name) extends Destination {
          static settings = {
            address: { description: "Address that gets the messages, https", required: true, pattern: "^https://" },
          };
          static secrets = { token: { description: "Token of the service", required: true } };
          // Only these hosts are reached. {address} is replaced by the host of the setting.
          static hosts = ["{address}"];

          track(event, settings) {
            // null sends nothing.
            if (event.event !== "Order Completed") return null;
            return request("POST", settings.address, {
              headers: { Authorization: bearer(secret("token")) },
              body: { text: `An order of ${event.properties.total}`, at: seconds(event), user: event.userId },
            });
          }
        }

        """
    }

    static let vectors = """
        [
          {
            "name": "an order becomes a message",
            "settings": { "address": "https://api.example.com/messages" },
            "events": [
              {
                "type": "track", "event": "Order Completed", "userId": "u-1", "messageId": "m-1",
                "timestamp": "2026-11-20T10:00:00.000Z", "properties": { "total": 42.5 }
              }
            ],
            "requests": [
              {
                "method": "POST",
                "url": "https://api.example.com/messages",
                "headers": { "Authorization": "Bearer {{secret:token}}", "Content-Type": "application/json" },
                "body": { "text": "An order of 42.5", "at": 1795168800, "user": "u-1" }
              }
            ]
          },
          {
            "name": "other events are not sent",
            "settings": { "address": "https://api.example.com/messages" },
            "events": [{ "type": "track", "event": "Product Viewed", "userId": "u-1", "messageId": "m-2" }],
            "requests": []
          }
        ]

        """
}
