// Posts events as messages into a channel of Discord, with a webhook.
//
// Sent: track. The setting `events` names the events that are posted; when it is empty, all are.
// Skipped: all other types. A message has the event's name, the user and up to 10 properties, and at most 2,000 letters.
// It mentions no one, whatever the event says. With wait=true, Discord answers with an error when it does not keep the message.
// A webhook belongs to one channel. Its address is a secret, because everyone who has it can post.
//
// Read from: https://discord.com/developers/docs/resources/webhook#execute-webhook. Not tried against the service.

class Discord extends Destination {
  static settings = {
    events: { description: "Names of the events to post, separated by commas; empty posts all", default: "" },
  };
  static secrets = {
    webhookPath: { description: "The part of the webhook's address after https://discord.com/api/webhooks/", required: true },
  };
  static hosts = ["discord.com"];

  track(event, settings) {
    const name = text(event.event);
    if (!name || !isChosen(name, settings.events)) return null;
    const user = text(event.userId) ?? text(event.anonymousId) ?? "unknown";
    const lines = Object.entries(object(event.properties))
      .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
      .slice(0, 10)
      .map(([key, value]) => `${escape(key, 50)}: ${escape(String(value), 100)}`);
    const content = [`**${escape(name, 100)}** by ${escape(user, 100)}`, ...lines].join("\n");
    return request("POST", `https://discord.com/api/webhooks/${secret("webhookPath")}?wait=true`, {
      body: { content: content.slice(0, 2000), allowed_mentions: { parse: [] } },
    });
  }
}

function isChosen(name, list) {
  const names = list.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
  return names.length === 0 || names.includes(name);
}

// The text with at most so many letters, and with the signs of Discord's formatting made plain.
function escape(value, most) {
  const start = value.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return start.replace(/[\\*_~|`>#[\]]/g, (sign) => `\\${sign}`);
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
