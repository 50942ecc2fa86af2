// Sends events and profiles to Klaviyo.
//
// Sent: track as an event; page and screen as "Page Viewed" and "Screen Viewed"; identify as a profile.
// Skipped: group and alias, and events with neither a userId nor an e-mail address. The userId is sent as external_id, and
// the messageId as unique_id: Klaviyo records the first event with a unique_id. Events go one by one, because Klaviyo
// refuses all events of its bulk request when one unique_id is repeated, as it is after a failure.
//
// Read from the descriptions that Klaviyo publishes at https://github.com/klaviyo/openapi (create_event, bulk_create_events,
// create_or_update_profile, revision 2026-07-15), shown at https://developers.klaviyo.com/en/reference/create_event.
// Not tried against the service.

const REVISION = "2026-07-15";
const PROFILE_NAMES = new Map([
  ["firstName", "first_name"], ["lastName", "last_name"], ["company", "organization"], ["title", "title"], ["avatar", "image"],
]);

class Klaviyo extends Destination {
  static secrets = { apiKey: { description: "Private API key with the scopes events:write and profiles:write", required: true } };
  static hosts = ["a.klaviyo.com"];

  track(event) {
    return sendEvent(event, text(event.event));
  }

  page(event) {
    return sendEvent(event, "Page Viewed");
  }

  screen(event) {
    return sendEvent(event, "Screen Viewed");
  }

  identify(event) {
    const identity = identityOf(event);
    if (!identity) return null;
    const traits = Object.entries(object(event.traits)).filter(([name]) => !["email", "phone"].includes(name));
    const attributes = traits.filter(([name, value]) => PROFILE_NAMES.has(name) && text(value));
    const properties = traits.filter(([name]) => !PROFILE_NAMES.has(name));
    return send("profile-import", {
      type: "profile",
      attributes: {
        ...Object.fromEntries(attributes.map(([name, value]) => [PROFILE_NAMES.get(name), text(value)])),
        ...identity,
        properties: Object.fromEntries(properties),
      },
    });
  }
}

function sendEvent(event, name) {
  const identity = identityOf(event);
  if (!name || !identity) return null;
  const { revenue, total, value, currency } = object(event.properties);
  return send("events", {
    type: "event",
    attributes: {
      metric: { data: { type: "metric", attributes: { name: cut(name, 127) } } },
      profile: { data: { type: "profile", attributes: identity } },
      properties: { ...object(event.properties), name: text(event.name) ?? object(event.properties).name },
      time: new Date(millis(event)).toISOString(),
      value: [revenue, total, value].find((amount) => typeof amount === "number"),
      value_currency: text(currency),
      unique_id: text(event.messageId),
    },
  });
}

function send(path, data) {
  return request("POST", `https://a.klaviyo.com/api/${path}`, {
    headers: {
      Authorization: `Klaviyo-API-Key ${secret("apiKey")}`,
      "Content-Type": "application/vnd.api+json",
      revision: REVISION,
    },
    body: { data },
  });
}

// The members by which Klaviyo finds the profile, or undefined. A telephone number is sent when it has the form E.164.
function identityOf(event) {
  const traits = { ...object(object(event.context).traits), ...object(event.traits) };
  const email = (text(traits.email) ?? text(object(event.properties).email))?.trim();
  if (!text(event.userId) && !email) return undefined;
  const phone = /^\+[0-9]{7,15}$/.test(text(traits.phone) ?? "") ? text(traits.phone) : undefined;
  return { external_id: text(event.userId), email, phone_number: phone, anonymous_id: text(event.anonymousId) };
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
