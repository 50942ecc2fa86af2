// Sends events and users to Iterable with its bulk requests.
//
// Sent: track as an event; page and screen as "Page Viewed" and "Screen Viewed"; identify as a change of the user.
// Skipped: group and alias, and events with neither a userId nor an e-mail address. The messageId is sent as the event's id:
// Iterable changes an event that it has instead of recording a second one. Users of a request go before its events.
// Iterable answers 200 and names the users and the events that it refuses: these become dead letters.
// The largest bulk request was not in the documentation that was read; 200 events are sent together.
//
// Read from: https://support.iterable.com/hc/en-us/articles/204780579-API-Overview-and-Sample-Payloads and, for the members of
// the requests, from the client that Iterable publishes at https://github.com/Iterable/api-client.
// Not tried against the service.

const VIEW_NAMES = new Map([["page", "Page Viewed"], ["screen", "Screen Viewed"]]);

class Iterable extends Destination {
  static settings = {
    region: { description: "Data center of the project: us or eu", pattern: "^(us|eu)$", default: "us" },
  };
  static secrets = { apiKey: { description: "API key of the type server-side", required: true } };
  static hosts = ["api.iterable.com", "api.eu.iterable.com"];
  static batchEvents = 200;

  batch(events, settings) {
    const users = events.filter((event) => event.type === "identify").map(userOf).filter(hasId);
    const tracked = events.filter(nameOf).map(eventOf).filter(hasId);
    const requests = [];
    if (users.length > 0) requests.push(send("users/bulkUpdate", { users }, settings));
    if (tracked.length > 0) requests.push(send("events/trackBulk", { events: tracked }, settings));
    return requests;
  }

  answered({ json, number }, events) {
    const answer = object(json);
    if (!(answer.failCount > 0)) return;
    const lists = [answer, object(answer.failedUpdates)].flatMap((part) => Object.values(part).filter(Array.isArray));
    const refused = new Set(lists.flat());
    const users = events.filter((event) => event.type === "identify" && hasId(userOf(event)));
    const tracked = events.filter((event) => nameOf(event) && hasId(eventOf(event)));
    const sent = [users, tracked].filter((part) => part.length > 0)[number];
    const found = sent.filter((event) => {
      const { userId, email } = idsOf(event);
      return refused.has(userId) || refused.has(email) || (event.type !== "identify" && refused.has(nameOf(event)));
    });
    const reason = `Iterable refused ${answer.failCount} of ${sent.length}`;
    if (found.length === 0) return reason;
    throw new Refused(reason, found);
  }
}

function send(path, body, settings) {
  const host = settings.region === "eu" ? "api.eu.iterable.com" : "api.iterable.com";
  return request("POST", `https://${host}/api/${path}`, { headers: { "Api-Key": secret("apiKey") }, body });
}

function nameOf(event) {
  return event.type === "track" ? text(event.event) : VIEW_NAMES.get(event.type);
}

function userOf(event) {
  return { ...idsOf(event), dataFields: object(event.traits), mergeNestedObjects: true };
}

function eventOf(event) {
  return {
    ...idsOf(event),
    eventName: nameOf(event),
    id: text(event.messageId),
    createdAt: seconds(event),
    dataFields: { ...object(event.properties), name: text(event.name) ?? object(event.properties).name },
  };
}

// The userId, or the e-mail address of a user without one.
function idsOf(event) {
  const userId = text(event.userId);
  const email = text(object(event.traits).email) ?? text(object(object(event.context).traits).email);
  return { userId, email: userId ? undefined : email?.trim() };
}

function hasId({ userId, email }) {
  return userId || email;
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
