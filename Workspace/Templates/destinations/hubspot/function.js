// Sends events as custom events to HubSpot, and users as contacts, in batches.
//
// Sent: track as a custom event; identify as a contact, made or changed by its e-mail address.
// Skipped: page, screen, group and alias, and events without an e-mail address, by which HubSpot finds the contact.
// The address is a trait of the event, a trait of its context, or a property. A custom event has to be defined in HubSpot:
// "Order Completed" is sent as pe1234567_order_completed, with the texts, numbers and booleans of its properties. Other signs
// than the letters a to z and digits become _ in these names.
// The messageId is sent as uuid: HubSpot refuses a second event with it. HubSpot refuses properties of a contact that it
// does not know, so only the traits of the table are sent; add the names of your own properties to it.
// The largest batch was not in the documentation that was read; 100 events are sent together.
//
// Read from: https://developers.hubspot.com/docs/api-reference/2026-03/events/send-event-data/batch-send-occurrences and
// https://developers.hubspot.com/docs/api-reference/2026-03/crm/objects/contacts/batch/upsert-contacts.
// That 207 has the members errors, message and context is known from public clients. Not tried against the service.

const CONTACT_NAMES = new Map([
  ["firstName", "firstname"], ["lastName", "lastname"], ["phone", "phone"], ["company", "company"], ["website", "website"],
  ["title", "jobtitle"],
]);

class HubSpot extends Destination {
  static settings = { hubId: { description: "ID of the HubSpot account", required: true, pattern: "^[0-9]+$" } };
  static secrets = {
    accessToken: { description: "Access token of a private app which may write contacts and send events", required: true },
  };
  static hosts = ["api.hubapi.com"];
  static batchEvents = 100;

  batch(events, settings) {
    const known = events.filter(emailOf);
    const contacts = known.filter((event) => event.type === "identify").map(contactOf);
    const tracked = known.filter((event) => event.type === "track" && text(event.event)).map((event) => eventOf(event, settings));
    const requests = [];
    if (contacts.length > 0) requests.push(send("crm/objects/2026-03/contacts/batch/upsert", merge(contacts)));
    if (tracked.length > 0) requests.push(send("events/2026-03/send/batch", tracked));
    return requests;
  }

  // When HubSpot takes only some of the contacts, it answers 207, and its errors name the addresses of the others.
  answered({ json }, events) {
    const { errors } = object(json);
    if (!Array.isArray(errors) || errors.length === 0) return;
    const named = errors.map(object).flatMap(({ context }) => Object.values(object(context)).flat());
    const addresses = new Set(named.map((name) => text(name)?.toLowerCase()));
    const found = events.filter((event) => event.type === "identify" && addresses.has(emailOf(event)));
    const reason = `HubSpot did not take ${errors.length}: ${text(object(errors[0]).message) ?? "it gave no reason"}`;
    if (found.length === 0) return reason;
    throw new Refused(reason, found);
  }
}

function send(path, inputs) {
  return request("POST", `https://api.hubapi.com/${path}`, {
    headers: { Authorization: bearer(secret("accessToken")) },
    body: { inputs },
  });
}

function contactOf(event) {
  const traits = Object.entries(object(event.traits)).filter(([name, value]) => CONTACT_NAMES.has(name) && text(value));
  const properties = Object.fromEntries(traits.map(([name, value]) => [CONTACT_NAMES.get(name), text(value)]));
  return { id: emailOf(event), idProperty: "email", properties: { ...properties, email: emailOf(event) } };
}

// A batch names a contact once, so several changes of one contact become one.
function merge(contacts) {
  const merged = new Map();
  for (const contact of contacts) {
    const properties = { ...merged.get(contact.id)?.properties, ...contact.properties };
    merged.set(contact.id, { ...contact, properties });
  }
  return [...merged.values()];
}

function eventOf(event, settings) {
  const properties = Object.entries(object(event.properties))
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => [internalName(name), String(value)]);
  return {
    eventName: `pe${settings.hubId}_${internalName(text(event.event))}`,
    email: emailOf(event),
    occurredAt: new Date(millis(event)).toISOString(),
    uuid: text(event.messageId),
    properties: Object.fromEntries(properties),
  };
}

function internalName(name) {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
}

function emailOf(event) {
  const found = [event.traits, object(event.context).traits, event.properties].map((holder) => text(object(holder).email));
  return found.find((email) => email)?.trim().toLowerCase();
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
