// Sends events to PostHog with its batch API, in the cloud or self-hosted.
//
// Sent: track as it is; page as $pageview; screen as $screen; identify as $identify, which sets the traits as properties of
// the person and joins the anonymousId with the userId; group as $groupidentify; alias as $create_alias.
// Skipped: events without any id, because PostHog answers 200 to such an event and drops it. A request has at most 20 MB
// there and no limit of events; 200 are sent. How PostHog finds duplicates was not in the documentation that was read, so an
// event that is sent again after a failure may count twice.
//
// Read from: https://posthog.com/docs/api/capture and, for $anon_distinct_id, from the library that PostHog publishes at
// https://github.com/PostHog/posthog-android. That $ip is the address of the user was in neither;
// the member quota_limited of an answer is known from public clients. Not tried against the service.

class PostHog extends Destination {
  static settings = {
    endpoint: {
      description: "https://us.i.posthog.com, https://eu.i.posthog.com or the address of your own PostHog",
      pattern: "^https://[^/]+/?$", default: "https://us.i.posthog.com",
    },
    groupType: { description: "Type of the groups in PostHog", default: "company" },
  };
  static secrets = { apiKey: { description: "API key of the project, which begins with phc_", required: true } };
  static hosts = ["{endpoint}"];
  static batchEvents = 200;

  batch(events, settings) {
    const batch = events.flatMap((event) => convert(event, settings.groupType));
    if (batch.length === 0) return null;
    return request("POST", `${settings.endpoint.replace(/\/$/, "")}/batch/`, { body: { api_key: secret("apiKey"), batch } });
  }

  // When the quota of the project is used up, PostHog answers 200 and drops the events.
  answered({ json }, events, settings) {
    const limited = object(json).quota_limited;
    if (!Array.isArray(limited) || limited.length === 0) return;
    const reason = `PostHog takes no more ${limited.join(", ")}, because the quota of the project is used up`;
    if (!limited.includes("events")) return reason;
    throw new Refused(reason, events.filter((event) => convert(event, settings.groupType).length > 0));
  }
}

function convert(event, groupType) {
  const id = text(event.userId) ?? text(event.anonymousId);
  const found = describe(event, groupType);
  if (!id || !found) return [];
  const context = object(event.context);
  const group = text(context.groupId);
  return [{
    distinct_id: id,
    timestamp: new Date(millis(event)).toISOString(),
    ...found,
    properties: { ...found.properties, $groups: group && { [groupType]: group }, $ip: text(context.ip) },
  }];
}

// The name and the properties in PostHog, or undefined for an event that is skipped.
function describe(event, groupType) {
  const properties = object(event.properties);
  const page = object(object(event.context).page);
  switch (event.type) {
    case "track":
      return text(event.event) && { event: text(event.event), properties };
    case "page":
      return {
        event: "$pageview",
        properties: {
          ...properties,
          $current_url: text(properties.url) ?? text(page.url),
          $referrer: text(properties.referrer) ?? text(page.referrer),
        },
      };
    case "screen":
      return { event: "$screen", properties: { ...properties, $screen_name: text(event.name) } };
    case "identify":
      return {
        event: "$identify",
        properties: {
          $set: object(event.traits),
          $anon_distinct_id: text(event.userId) ? text(event.anonymousId) : undefined,
        },
      };
    case "group":
      return text(event.groupId) && {
        event: "$groupidentify",
        properties: { $group_type: groupType, $group_key: text(event.groupId), $group_set: object(event.traits) },
      };
    case "alias":
      // PostHog merges the distinct_id into the alias, which becomes the main id of the person.
      return text(event.userId) && text(event.previousId) && {
        event: "$create_alias", distinct_id: text(event.previousId), properties: { alias: text(event.userId) },
      };
    default:
      return undefined;
  }
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
