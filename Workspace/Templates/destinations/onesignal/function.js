// Sends events and tags of users to OneSignal.
//
// Sent: track as a custom event; page and screen as "Page Viewed" and "Screen Viewed"; identify as two requests: one makes the
// user when it is not there, the other sets the traits as tags. Skipped: group and alias, and events without a userId.
// The userId is the external_id, and the messageId the idempotency_key. OneSignal answers 202 also for an event of a user that
// it does not have, and drops the event. A tag is a text: traits that are lists or objects are not sent.
//
// Read from: https://documentation.onesignal.com/reference/create-custom-events,
// https://documentation.onesignal.com/reference/create-user and https://documentation.onesignal.com/reference/update-user.
// Not tried against the service.

class OneSignal extends Destination {
  static settings = { appId: { description: "App ID in OneSignal", required: true, pattern: "^[0-9a-fA-F-]{36}$" } };
  static secrets = { apiKey: { description: "API key of the app", required: true } };
  static hosts = ["api.onesignal.com"];

  track(event, settings) {
    return sendEvent(event, text(event.event), settings);
  }

  page(event, settings) {
    return sendEvent(event, "Page Viewed", settings);
  }

  screen(event, settings) {
    return sendEvent(event, "Screen Viewed", settings);
  }

  identify(event, settings) {
    const id = text(event.userId);
    if (!id) return null;
    const tags = Object.entries(object(event.traits))
      .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
      .map(([name, value]) => [name, String(value)]);
    const user = send("POST", "users", { identity: { external_id: id } }, settings);
    if (tags.length === 0) return user;
    const change = { properties: { tags: Object.fromEntries(tags) } };
    return [user, send("PATCH", `users/by/external_id/${encodeURIComponent(id)}`, change, settings)];
  }
}

function sendEvent(event, name, settings) {
  if (!name || !text(event.userId)) return null;
  const properties = { ...object(event.properties), name: text(event.name) ?? object(event.properties).name };
  return send("POST", "custom_events", {
    events: [{
      name: cut(name, 128),
      external_id: text(event.userId),
      timestamp: new Date(millis(event)).toISOString(),
      idempotency_key: text(event.messageId),
      properties,
    }],
  }, settings);
}

function send(method, path, body, settings) {
  return request(method, `https://api.onesignal.com/apps/${settings.appId}/${path}`, {
    headers: { Authorization: `Key ${secret("apiKey")}` },
    body,
  });
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
