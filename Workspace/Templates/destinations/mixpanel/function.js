// Sends events to Mixpanel with its import API, and profiles with its API for profiles, in batches.
//
// Sent: track as it is; page and screen as "Page Viewed" and "Screen Viewed"; identify as properties of the user's profile;
// group as properties of the group's profile, and as the group of the user's profile. Skipped: alias, which projects with
// the simplified ID merge do not need, and events without any id. The ids are sent as $user_id and $device_id, as that
// merge wants them; a project with the original merge needs another form. The messageId is sent as $insert_id, by which
// Mixpanel finds duplicates. A request may have 2,000 events; 200 are sent. Mixpanel answers 200 with the body 0
// for profiles that it refuses: the events of that request become dead letters.
//
// Read from: https://docs.mixpanel.com/reference/import-events, https://docs.mixpanel.com/reference/profile-set,
// https://github.com/mixpanel/docs (openapi/ingestion.openapi.yaml: groups), the ids in
// https://docs.mixpanel.com/docs/tracking-methods/id-management/identifying-users-simplified and, for the project token as
// the user's name, https://developer.mixpanel.com/reference-link/http. Not tried against the service.

const VIEW_NAMES = new Map([["page", "Page Viewed"], ["screen", "Screen Viewed"]]);
const PROFILE_NAMES = new Map([
  ["email", "$email"], ["name", "$name"], ["firstName", "$first_name"], ["lastName", "$last_name"], ["phone", "$phone"],
]);

class Mixpanel extends Destination {
  static settings = {
    region: { description: "Where the project's data are: us, eu or in", pattern: "^(us|eu|in)$", default: "us" },
    groupType: { description: "Key of the groups in Mixpanel", default: "company" },
  };
  static secrets = { projectToken: { description: "Token of the project", required: true } };
  static hosts = ["api.mixpanel.com", "api-eu.mixpanel.com", "api-in.mixpanel.com"];
  static batchEvents = 200;

  batch(events, settings) {
    const address = `https://${{ us: "api", eu: "api-eu", in: "api-in" }[settings.region]}.mixpanel.com`;
    const tracked = events.flatMap(eventOf);
    const profiles = events.flatMap((event) => profileOf(event, settings.groupType));
    const groups = events.flatMap((event) => groupOf(event, settings.groupType));
    const requests = [];
    if (tracked.length > 0) {
      const headers = { Authorization: basic(secret("projectToken"), "") };
      requests.push(request("POST", `${address}/import?strict=1`, { headers, body: tracked }));
    }
    if (profiles.length > 0) requests.push(request("POST", `${address}/engage?ip=0&strict=1`, { body: profiles }));
    if (groups.length > 0) requests.push(request("POST", `${address}/groups?ip=0&strict=1`, { body: groups }));
    return requests;
  }

  answered({ json, number }, events, settings) {
    if (json !== 0 && object(json).status !== 0) return;
    const parts = [eventOf, (event) => profileOf(event, settings.groupType), (event) => groupOf(event, settings.groupType)]
      .map((convert) => events.filter((event) => convert(event).length > 0))
      .filter((part) => part.length > 0);
    throw new Refused(`Mixpanel refused the request: ${text(object(json).error) ?? "it answered 0"}`, parts[number]);
  }
}

function eventOf(event) {
  const user = text(event.userId);
  const device = text(event.anonymousId);
  const name = event.type === "track" ? text(event.event) : VIEW_NAMES.get(event.type);
  if (!name || (!user && !device)) return [];
  return [{
    event: name,
    properties: {
      ...object(event.properties),
      name: text(event.name) ?? object(event.properties).name,
      distinct_id: user ?? `$device:${device}`,
      $user_id: user,
      $device_id: device,
      $insert_id: insertId(event),
      time: millis(event),
      ip: text(object(event.context).ip),
    },
  }];
}

// An $insert_id has at most 36 letters, digits and hyphens.
function insertId(event) {
  const id = text(event.messageId) ?? "";
  return /^[A-Za-z0-9-]{1,36}$/.test(id) ? id : sha256(id).slice(0, 36);
}

function profileOf(event, groupType) {
  const user = text(event.userId);
  if (!user) return [];
  if (event.type === "identify") {
    const named = Object.entries(object(event.traits)).map(([name, value]) => [PROFILE_NAMES.get(name) ?? name, value]);
    return [{ $token: secret("projectToken"), $distinct_id: user, $set: Object.fromEntries(named) }];
  }
  if (event.type === "group" && text(event.groupId)) {
    return [{ $token: secret("projectToken"), $distinct_id: user, $set: { [groupType]: text(event.groupId) } }];
  }
  return [];
}

function groupOf(event, groupType) {
  if (event.type !== "group" || !text(event.groupId)) return [];
  const group = { $group_key: groupType, $group_id: text(event.groupId) };
  return [{ $token: secret("projectToken"), ...group, $set: object(event.traits) }];
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
