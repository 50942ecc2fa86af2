// Sends events to Amplitude with its HTTP V2 API, in batches.
//
// Sent: track as it is; page and screen as "Page Viewed" and "Screen Viewed"; identify as $identify, which sets the traits
// as properties of the user; group as $identify with the group and $groupidentify, which sets the traits of the group.
// Skipped: alias, and events with neither a userId nor an anonymousId. The messageId is sent as insert_id: Amplitude
// ignores an event that repeats the insert_id of the last 7 days. A request may have 2,000 events and 1 MB; 100 are sent,
// and Amplitude recommends 10 on its Starter plan (change batchEvents for that).
//
// Read from: https://amplitude.com/docs/apis/analytics/http-v2,
// https://amplitude.com/docs/apis/analytics/http-api-batching-retries and, for $identify and $groupidentify, from the
// library that Amplitude publishes at https://github.com/amplitude/analytics-go. Not tried against the service.

class Amplitude extends Destination {
  static settings = {
    region: { description: "Data center of the project: us or eu", pattern: "^(us|eu)$", default: "us" },
    groupType: { description: "Type of the groups in Amplitude", default: "company" },
    minIdLength: { description: "The fewest letters of an id that Amplitude accepts", type: "number", default: 5 },
  };
  static secrets = { apiKey: { description: "API key of the project", required: true } };
  static hosts = ["api2.amplitude.com", "api.eu.amplitude.com"];
  static batchEvents = 100;

  batch(events, settings) {
    const converted = events.flatMap((event) => convert(event, settings));
    if (converted.length === 0) return null;
    const host = settings.region === "eu" ? "api.eu.amplitude.com" : "api2.amplitude.com";
    return request("POST", `https://${host}/2/httpapi`, {
      body: { api_key: secret("apiKey"), events: converted, options: { min_id_length: settings.minIdLength } },
    });
  }
}

// The events of Amplitude for one event: none, one, or two for a group.
function convert(event, settings) {
  const common = commonOf(event);
  if (!common.user_id && !common.device_id) return [];
  const traits = object(event.traits);
  const named = { ...object(event.properties), name: text(event.name) ?? object(event.properties).name };
  switch (event.type) {
    case "track":
      return text(event.event) ? [{ ...common, event_type: text(event.event), event_properties: object(event.properties) }] : [];
    case "page":
      return [{ ...common, event_type: "Page Viewed", event_properties: named }];
    case "screen":
      return [{ ...common, event_type: "Screen Viewed", event_properties: named }];
    case "identify":
      return [{ ...common, event_type: "$identify", user_properties: { $set: traits } }];
    case "group":
      return text(event.groupId) ? groupEvents(event, common, traits, settings.groupType) : [];
    default:
      return [];
  }
}

function groupEvents(event, common, traits, groupType) {
  const groups = { [groupType]: text(event.groupId) };
  const joined = { ...common, event_type: "$identify", groups, user_properties: { $set: groups } };
  if (Object.keys(traits).length === 0) return [joined];
  const described = { ...common, insert_id: `${common.insert_id}-group`, event_type: "$groupidentify", groups };
  return [joined, { ...described, group_properties: { $set: traits } }];
}

function commonOf(event) {
  const context = object(event.context);
  const device = object(context.device);
  return {
    user_id: text(event.userId),
    device_id: text(event.anonymousId),
    time: millis(event),
    insert_id: text(event.messageId),
    app_version: text(object(context.app).version),
    os_name: text(object(context.os).name),
    os_version: text(object(context.os).version),
    device_manufacturer: text(device.manufacturer),
    device_model: text(device.model),
    language: text(context.locale),
    ip: text(context.ip),
  };
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
