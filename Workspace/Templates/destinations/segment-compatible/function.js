// Sends events on to another workspace, or to any service with the tracking API of Segment, in batches.
class SegmentCompatible extends Destination {
  static settings = {
    endpoint: {
      description: "Address of the other workspace, such as https://events.example.com",
      required: true, pattern: "^https?://[^/]+/?$",
    },
  };
  static secrets = { writeKey: { description: "The write key of the source in the other workspace", required: true } };
  static hosts = ["{endpoint}"];
  static batchEvents = 100;

  batch(events, settings) {
    // The other workspace knows an event that it got before by its messageId.
    return request("POST", `${settings.endpoint.replace(/\/$/, "")}/v1/batch`, {
      headers: { Authorization: basic(secret("writeKey"), "") },
      body: { batch: events },
    });
  }
}
