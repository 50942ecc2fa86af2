// Sends events, purchases and attributes of users to Braze, in batches.
//
// Sent: track as a custom event, and "Order Completed" also as a purchase at the level of the order; page and screen as
// "Page Viewed" and "Screen Viewed"; identify as attributes of the user. Skipped: group and alias, and events without a userId,
// unless anonymousUsers is on: then they belong to a user with the alias of the label anonymous_id.
// Braze finds no duplicates: an event that is sent again after a failure counts twice.
// Newer contracts allow 50 objects in a request. Each event makes at most two, so 25 events are sent together.
//
// Read from: https://www.braze.com/docs/api/endpoints/user_data/post_user_track,
// https://www.braze.com/docs/api/objects_filters/event_object and
// https://www.braze.com/docs/api/objects_filters/purchase_object. Not tried against the service.

const VIEW_NAMES = new Map([["page", "Page Viewed"], ["screen", "Screen Viewed"]]);
const ATTRIBUTE_NAMES = new Map([["firstName", "first_name"], ["lastName", "last_name"]]);

class Braze extends Destination {
  static settings = {
    endpoint: {
      description: "REST endpoint of your instance, such as https://rest.iad-01.braze.com",
      required: true, pattern: "^https://[a-z0-9.-]+\\.braze\\.(com|eu)/?$",
    },
    appId: { description: "App identifier of Braze, for events and purchases of one app" },
    anonymousUsers: { description: "Whether users without a userId are made in Braze", type: "boolean", default: false },
    purchases: { description: "Whether an Order Completed is also sent as a purchase", type: "boolean", default: true },
  };
  static secrets = { apiKey: { description: "REST API key with the permission users.track", required: true } };
  static hosts = ["{endpoint}"];
  static batchEvents = 25;

  batch(events, settings) {
    const known = events.filter((event) => userOf(event, settings));
    const attributes = known.filter((event) => event.type === "identify").map((event) => attributesOf(event, settings));
    const named = known.filter(nameOf).map((event) => eventOf(event, settings));
    const purchases = settings.purchases ? known.flatMap((event) => purchaseOf(event, settings)) : [];
    if (attributes.length + named.length + purchases.length === 0) return null;
    return request("POST", `${settings.endpoint.replace(/\/$/, "")}/users/track`, {
      headers: { Authorization: bearer(secret("apiKey")) },
      body: { attributes: listed(attributes), events: listed(named), purchases: listed(purchases) },
    });
  }

  // Braze answers 201 and names what it did not take, by its place in one of the lists.
  answered({ json }, events, settings) {
    const { errors } = object(json);
    if (!Array.isArray(errors) || errors.length === 0) return;
    const known = events.filter((event) => userOf(event, settings));
    const lists = {
      attributes: known.filter((event) => event.type === "identify"),
      events: known.filter(nameOf),
      purchases: known.filter((event) => purchaseOf(event, settings).length > 0),
    };
    const refused = errors.map(object).map(({ input_array: list, index }) => object(lists)[list]?.[index]);
    const found = [...new Set(refused.filter((event) => event !== undefined))];
    const [first] = errors;
    const reason = `Braze did not take ${errors.length}: ${text(first) ?? text(object(first).type) ?? "it gave no reason"}`;
    if (found.length === 0) return reason;
    throw new Refused(reason, found);
  }
}

// The members by which Braze finds the user, or undefined.
function userOf(event, settings) {
  if (text(event.userId)) return { external_id: text(event.userId) };
  if (!settings.anonymousUsers || !text(event.anonymousId)) return undefined;
  return { user_alias: { alias_name: text(event.anonymousId), alias_label: "anonymous_id" }, _update_existing_only: false };
}

function attributesOf(event, settings) {
  const traits = Object.entries(object(event.traits)).map(([name, value]) => [ATTRIBUTE_NAMES.get(name) ?? name, value]);
  return { ...Object.fromEntries(traits), ...userOf(event, settings) };
}

function nameOf(event) {
  return event.type === "track" ? text(event.event) : VIEW_NAMES.get(event.type);
}

function eventOf(event, settings) {
  const properties = propertiesOf({ ...object(event.properties), name: text(event.name) ?? object(event.properties).name });
  return { ...userOf(event, settings), app_id: settings.appId, name: nameOf(event), time: timeOf(event), properties };
}

function purchaseOf(event, settings) {
  const { revenue, total, currency } = object(event.properties);
  const price = typeof revenue === "number" ? revenue : total;
  if (event.type !== "track" || event.event !== "Order Completed") return [];
  if (typeof price !== "number" || typeof currency !== "string" || currency === "") return [];
  const properties = propertiesOf(object(event.properties));
  const order = { product_id: "Order Completed", currency, price, time: timeOf(event), properties };
  return [{ ...userOf(event, settings), app_id: settings.appId, ...order }];
}

// A property's name does not begin with $; a null is no value of a property, and a text has at most 255 letters.
function propertiesOf(properties) {
  return Object.fromEntries(Object.entries(properties)
    .filter(([name, value]) => name !== "" && !name.startsWith("$") && value !== null && value !== undefined)
    .map(([name, value]) => [cut(name, 255), typeof value === "string" ? cut(value, 255) : value]));
}

function timeOf(event) {
  return new Date(millis(event)).toISOString();
}

function listed(list) {
  return list.length > 0 ? list : undefined;
}

// The text with at most so many letters, and without half of a letter at its end.
function cut(value, most) {
  return value.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
