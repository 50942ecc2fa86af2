// Sends events to Intercom, and groups as companies.
//
// Sent: track as a data event; group as a company. identify makes a contact, and only with createContacts: to change a contact
// that is there, a request needs its id in Intercom, which a function cannot look up. So later traits do not arrive, and how
// Intercom answers to a second contact with one userId was not in the documentation that was read.
// Skipped: page, screen and alias, and events with neither a userId nor an e-mail address.
// Intercom takes events only of contacts that it has, and answers 404 for others. These become dead letters. A filter in front
// that lets only events of such users pass keeps the list short.
// Intercom keeps the first 10 members of an event's metadata. An event with the name, the contact and the second of another
// one counts as that one.
// A company is visible in Intercom when a contact belongs to it.
//
// Read from the descriptions that Intercom publishes at https://github.com/intercom/Intercom-OpenAPI (version 2.14), shown at
// https://developers.intercom.com/docs/references/rest-api/api.intercom.io/data-events. Not tried against the service.

const CONTACT_MEMBERS = ["email", "phone", "name"];
const COMPANY_MEMBERS = ["name", "plan", "website", "industry"];

class Intercom extends Destination {
  static settings = {
    region: { description: "Region of the workspace in Intercom: us, eu or au", pattern: "^(us|eu|au)$", default: "us" },
    createContacts: { description: "Whether identify makes a contact", type: "boolean", default: false },
  };
  static secrets = { accessToken: { description: "Access token of your app in Intercom", required: true } };
  // The answer to an event of a contact that the service does not have.
  static refusals = [404];
  static hosts = ["api.intercom.io", "api.eu.intercom.io", "api.au.intercom.io"];

  track(event, settings) {
    const name = text(event.event);
    const userId = text(event.userId);
    const email = userId ? undefined : text(object(object(event.context).traits).email)?.trim();
    if (!name || (!userId && !email)) return null;
    const metadata = plainMembers(object(event.properties)).slice(0, 10);
    const body = { event_name: name, created_at: seconds(event), user_id: userId, email, metadata: Object.fromEntries(metadata) };
    return send("events", body, settings);
  }

  identify(event, settings) {
    const traits = object(event.traits);
    if (!settings.createContacts || !text(event.userId)) return null;
    return send("contacts", {
      role: "user",
      external_id: text(event.userId),
      ...membersOf(traits, CONTACT_MEMBERS),
      custom_attributes: Object.fromEntries(plainMembers(traits).filter(([name]) => !CONTACT_MEMBERS.includes(name))),
    }, settings);
  }

  group(event, settings) {
    const traits = object(event.traits);
    if (!text(event.groupId)) return null;
    return send("companies", {
      company_id: text(event.groupId),
      ...membersOf(traits, COMPANY_MEMBERS),
      custom_attributes: Object.fromEntries(plainMembers(traits).filter(([name]) => !COMPANY_MEMBERS.includes(name))),
    }, settings);
  }
}

function send(path, body, settings) {
  const host = settings.region === "us" ? "api.intercom.io" : `api.${settings.region}.intercom.io`;
  return request("POST", `https://${host}/${path}`, {
    headers: { Authorization: bearer(secret("accessToken")), Accept: "application/json", "Intercom-Version": "2.14" },
    body,
  });
}

function membersOf(traits, names) {
  return Object.fromEntries(names.map((name) => [name, text(traits[name])]));
}

function plainMembers(holder) {
  return Object.entries(holder).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
