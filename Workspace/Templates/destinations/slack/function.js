// Posts events as messages into a channel of Slack, with an incoming webhook.
//
// Sent: track. The setting `events` names the events that are posted; when it is empty, all are.
// Skipped: all other types. A message has the event's name, the user and up to 10 properties.
// A webhook belongs to one channel. Its address is a secret, because everyone who has it can post.
//
// Read from: https://api.slack.com/messaging/webhooks (as copied at https://webhook.net/slack-webhooks) and
// https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks. Not tried against the service.

class Slack extends Destination {
  static settings = {
    events: { description: "Names of the events to post, separated by commas; empty posts all", default: "" },
  };
  static secrets = {
    webhookPath: { description: "The part of the webhook's address after https://hooks.slack.com/services/", required: true },
  };
  static hosts = ["hooks.slack.com"];

  track(event, settings) {
    const name = text(event.event);
    if (!name || !isChosen(name, settings.events)) return null;
    const user = text(event.userId) ?? text(event.anonymousId) ?? "unknown";
    const lines = Object.entries(object(event.properties))
      .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
      .slice(0, 10)
      .map(([key, value]) => `• ${escape(key, 100)}: ${escape(String(value), 200)}`);
    return request("POST", `https://hooks.slack.com/services/${secret("webhookPath")}`, {
      body: { text: [`*${escape(name, 200)}* by ${escape(user, 100)}`, ...lines].join("\n") },
    });
  }
}

function isChosen(name, list) {
  const names = list.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
  return names.length === 0 || names.includes(name);
}

// The text with at most so many letters. Slack reads &, < and > as signs of its own.
function escape(value, most) {
  const start = value.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return start.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
