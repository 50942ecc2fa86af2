// Sends events of all types as log records to a receiver of OpenTelemetry, with OTLP/HTTP in JSON, in batches.
//
// Sent: every event as one record. Its body is the name of the event, or its type; the ids and the type are attributes, and
// properties and traits are attributes which are objects. Nothing is skipped.
// OTLP finds no duplicates: an event that is sent again after a failure arrives twice. A request should have at most 20 MiB;
// 200 events are sent together. A receiver may answer 200 and refuse records without naming them: when it refuses all, the
// events become dead letters; else the answer that is shown says how many it refused, because OTLP forbids to send them again.
// When the receiver wants a key, set apiKeyHeader to the name of the header, such as Authorization, and the secret apiKey to
// its value, such as "Bearer abc".
//
// Read from: https://github.com/open-telemetry/opentelemetry-proto/blob/main/docs/specification.md and
// https://github.com/open-telemetry/opentelemetry-proto/blob/main/examples/logs.json. Not tried against a service.

const DEEPEST = 6;

class OtlpLogs extends Destination {
  static settings = {
    endpoint: {
      description: "Address of the receiver, such as https://otel.example.com:4318",
      required: true, pattern: "^https://[^/]+/?$",
    },
    serviceName: { description: "The attribute service.name of the records", default: "tributary" },
    apiKeyHeader: { description: "Header of the key; empty for a receiver without one", pattern: "^[A-Za-z0-9-]*$", default: "" },
  };
  static secrets = { apiKey: { description: "Value of the header apiKeyHeader" } };
  static hosts = ["{endpoint}"];
  static batchEvents = 200;

  batch(events, settings) {
    const scope = { scope: { name: "tributary" }, logRecords: events.map(recordOf) };
    const resource = { attributes: [attribute("service.name", settings.serviceName)] };
    return request("POST", `${settings.endpoint.replace(/\/$/, "")}/v1/logs`, {
      headers: settings.apiKeyHeader === "" ? {} : { [settings.apiKeyHeader]: secret("apiKey") },
      body: { resourceLogs: [{ resource, scopeLogs: [scope] }] },
    });
  }

  answered({ json }, events) {
    const { rejectedLogRecords, errorMessage } = partialSuccessOf(json);
    const count = Number(rejectedLogRecords ?? 0);
    if (!(count > 0)) return text(errorMessage);
    const reason = `the receiver refused ${count} of ${events.length} records: ${text(errorMessage) ?? "it gave no reason"}`;
    if (count >= events.length) throw new Refused(reason);
    return reason;
  }
}

function partialSuccessOf(json) {
  const part = typeof json === "object" && json !== null ? json.partialSuccess : undefined;
  return typeof part === "object" && part !== null ? part : {};
}

function recordOf(event) {
  const attributes = {
    "event.type": event.type,
    "message.id": event.messageId,
    "user.id": event.userId,
    "anonymous.id": event.anonymousId,
    "group.id": event.groupId,
    properties: event.properties,
    traits: event.traits,
  };
  const present = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null);
  return {
    // 64-bit integers are texts in the JSON of OTLP.
    timeUnixNano: `${millis(event)}000000`,
    severityNumber: 9,
    severityText: "INFO",
    body: { stringValue: text(event.event) ?? text(event.name) ?? text(event.type) ?? "event" },
    attributes: present.map(([name, value]) => attribute(name, value)),
  };
}

function attribute(key, value, depth = 0) {
  return { key, value: valueOf(value, depth) };
}

// A value in the form of OTLP. A list or an object too deep inside of others is sent as JSON in a text.
function valueOf(value, depth) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Number.isSafeInteger(value)) return { intValue: String(value) };
  if (typeof value === "number") return { doubleValue: value };
  if (depth > DEEPEST) return { stringValue: JSON.stringify(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((element) => valueOf(element, depth + 1)) } };
  if (value === null || value === undefined) return {};
  return { kvlistValue: { values: Object.entries(value).map(([key, member]) => attribute(key, member, depth + 1)) } };
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}
