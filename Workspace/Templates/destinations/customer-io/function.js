// Sends events to Customer.io with its Pipelines API, in batches.
//
// Sent: track, identify, page, screen and group, in the form that they have. Skipped: alias, which a batch of Customer.io does
// not take, and events without any id.
// The context of events is not sent: in a batch of Customer.io, one context belongs to all events together.
// An event has at most 32 KB there and a batch 500 KB, so 15 events are sent together. Strict mode makes Customer.io answer
// with an error to events that it does not take; without it, such events get a 200 and are lost.
//
// Read from: https://docs.customer.io/integrations/api/cdp/ and
// https://docs.customer.io/integrations/api/cdp/tag/default/batch/. Not tried against the service.

class CustomerIO extends Destination {
  static settings = {
    region: { description: "Region of the account: us or eu", pattern: "^(us|eu)$", default: "us" },
  };
  static secrets = { apiKey: { description: "API key of the source in Customer.io", required: true } };
  static hosts = ["cdp.customer.io", "cdp-eu.customer.io"];
  static batchEvents = 15;

  batch(events, settings) {
    const batch = events.map(convert).filter(isComplete);
    if (batch.length === 0) return null;
    const host = settings.region === "eu" ? "cdp-eu.customer.io" : "cdp.customer.io";
    return request("POST", `https://${host}/v1/batch`, {
      headers: { Authorization: basic(secret("apiKey"), ""), "X-Strict-Mode": "1" },
      body: { batch },
    });
  }
}

function isComplete({ type, userId, anonymousId, event, groupId }) {
  if (!userId && !anonymousId) return false;
  return ["identify", "page", "screen"].includes(type) || (type === "track" && event) || (type === "group" && groupId);
}

function convert(event) {
  const hasTraits = event.type === "identify" || event.type === "group";
  const hasProperties = ["track", "page", "screen"].includes(event.type);
  return {
    type: event.type,
    userId: text(event.userId),
    anonymousId: text(event.anonymousId),
    groupId: text(event.groupId),
    event: text(event.event),
    name: text(event.name),
    properties: hasProperties ? object(event.properties) : undefined,
    traits: hasTraits ? object(event.traits) : undefined,
    messageId: text(event.messageId),
    timestamp: new Date(millis(event)).toISOString(),
  };
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
