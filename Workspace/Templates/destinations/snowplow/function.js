// Sends events to a collector of Snowplow with its tracker protocol, in batches.
//
// Sent: page as a page view; screen as a self-describing event with Snowplow's schema of screen views; track, identify and
// group as self-describing events of your own schemas, when schemaVendor is set: "Order Completed" then has the schema
// iglu:VENDOR/order_completed/jsonschema/VERSION, which your registry has to have. Other signs than the letters a to z and digits
// become _ in its name. Without schemaVendor, track is sent as a structured event with the event's name as its action, and
// identify and group are skipped. alias is always skipped.
// The eid of an event is its messageId, or is made from it when that is no UUID, so that Snowplow can find duplicates.
// The largest request is a setting of the collector; 50 events are sent together.
//
// Read from: https://docs.snowplow.io/docs/events/http-requests/,
// https://docs.snowplow.io/docs/fundamentals/canonical-event/ and, for screens,
// https://docs.snowplow.io/docs/sources/mobile-trackers/tracking-events/. Not tried against the service.

class Snowplow extends Destination {
  static settings = {
    endpoint: {
      description: "Address of the collector, such as https://collector.example.com",
      required: true, pattern: "^https://[^/]+/?$",
    },
    appId: { description: "app_id of the events", required: true },
    schemaVendor: { description: "Vendor of your own schemas, such as com.example; empty for structured events", default: "" },
    schemaVersion: { description: "Version of your own schemas", pattern: "^[0-9]+-[0-9]+-[0-9]+$", default: "1-0-0" },
  };
  static hosts = ["{endpoint}"];
  static batchEvents = 50;

  batch(events, settings) {
    const data = events.flatMap((event) => convert(event, settings));
    if (data.length === 0) return null;
    return request("POST", `${settings.endpoint.replace(/\/$/, "")}/com.snowplowanalytics.snowplow/tp2`, {
      body: { schema: "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4", data },
    });
  }
}

function convert(event, settings) {
  const described = describe(event, settings);
  if (!described) return [];
  const context = object(event.context);
  return [{
    ...described,
    eid: eventId(event),
    tv: "tributary",
    tna: "tributary",
    aid: settings.appId,
    p: platformOf(event),
    dtm: String(millis(event)),
    uid: text(event.userId),
    duid: text(event.anonymousId),
    ip: text(context.ip),
    ua: text(context.userAgent),
    lang: text(context.locale),
  }];
}

// The members that say what happened, or undefined for an event that is skipped.
function describe(event, settings) {
  const properties = object(event.properties);
  const page = object(object(event.context).page);
  const own = (name, data) => settings.schemaVendor === "" ? undefined
    : selfDescribing(`iglu:${settings.schemaVendor}/${schemaName(name)}/jsonschema/${settings.schemaVersion}`, data);
  switch (event.type) {
    case "page":
      return {
        e: "pv",
        url: text(properties.url) ?? text(page.url),
        page: text(properties.title) ?? text(page.title) ?? text(event.name),
        refr: text(properties.referrer) ?? text(page.referrer),
      };
    case "screen":
      return selfDescribing("iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0",
        { name: text(event.name) ?? "unnamed", id: eventId(event) });
    case "track":
      return text(event.event) && (own(text(event.event), properties) ?? structured(event, properties));
    case "identify":
      return own("identify", object(event.traits));
    case "group":
      return own("group", { ...object(event.traits), group_id: text(event.groupId) });
    default:
      return undefined;
  }
}

function selfDescribing(schema, data) {
  const event = { schema: "iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0", data: { schema, data } };
  return { e: "ue", ue_pr: JSON.stringify(event) };
}

function structured(event, { category, label, value, revenue }) {
  const amount = [value, revenue].find((number) => typeof number === "number");
  return {
    e: "se",
    se_ca: text(category) ?? "track",
    se_ac: text(event.event),
    se_la: text(label),
    se_va: amount === undefined ? undefined : String(amount),
  };
}

function schemaName(name) {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "") || "event";
}

function platformOf(event) {
  const type = text(object(object(event.context).device).type) ?? "";
  if (/^(ios|ipados|android)$/i.test(type)) return "mob";
  return event.type === "page" ? "web" : "srv";
}

function eventId(event) {
  const id = text(event.messageId) ?? "";
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id.toLowerCase();
  return sha256(id).slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-5$3-8$4-$5");
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
