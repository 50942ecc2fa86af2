// Names what a change takes away for good, in a sentence each. A value that the reader types over another one is no loss.

const listOf = (value) => (Array.isArray(value) ? value : []);

/// The sentence for some names; none when there are no names.
function named(words, names) {
  return names.length ? [`${words}: ${names.join(', ')}.`] : [];
}

/// The type and the name of an event of a tracking plan.
export function eventTitle(event) {
  return [event?.type, event?.name].filter(Boolean).join(' ');
}

function byKey(properties) {
  return new Map(listOf(properties).map((property) => [property?.key, property]));
}

/// The losses when a planned event is replaced by another one of its type and name.
export function eventLosses(before, after) {
  const title = eventTitle(before);
  const wanted = byKey(after.properties);
  const values = before.properties.filter((one) => one.values?.length && wanted.has(one.key) && !wanted.get(one.key)?.values?.length);
  const described = before.properties.filter(({ key, description }) =>
    description && wanted.has(key) && !wanted.get(key)?.description);
  return [
    ...(before.description && !after.description ? [`The description of ${title} is deleted.`] : []),
    ...(before.owner && !after.owner ? [`The owner of ${title} is deleted.`] : []),
    ...named(`The plan of ${title} does not have these properties any more`,
      before.properties.filter(({ key }) => !wanted.has(key)).map(({ key }) => key)),
    ...named(`The descriptions of these properties of ${title} are deleted`, described.map(({ key }) => key)),
    ...named(`The allowed values of these properties of ${title} are deleted`, values.map(({ key }) => key)),
  ];
}

/// The properties of a planned event that get another type, or become required or optional.
export function replacedProperties(before, after) {
  const wanted = byKey(after.properties);
  const differs = (one, other) => one.type !== other.type || Boolean(one.required) !== Boolean(other.required);
  return named(`The plan of these properties of ${eventTitle(before)} is replaced`,
    before.properties.filter((one) => wanted.has(one.key) && differs(one, wanted.get(one.key))).map(({ key }) => key));
}

/// The losses when a tracking plan is replaced. The server has not checked the new one yet.
export function planLosses(before, after) {
  const wanted = new Map(listOf(after?.events).map((event) => [eventTitle(event), event]));
  const gone = before.events.filter((event) => !wanted.has(eventTitle(event)));
  const kept = before.events.filter((event) => wanted.has(eventTitle(event)));
  return [...named('The plan does not have these events any more', gone.map(eventTitle)),
    ...kept.flatMap((event) => eventLosses(event, wanted.get(eventTitle(event))))];
}

/// The losses when the settings of destinations on the device are changed. `change` has the destinations that are
/// replaced, and null for each one that is taken out.
export function settingsLosses(before, change) {
  const known = (name) => (Object.hasOwn(before, name) ? before[name] : {});
  return Object.entries(change ?? {}).flatMap(([name, after]) => named(`These settings of ${name} are deleted`,
    Object.keys(known(name)).filter((key) => !Object.hasOwn(Object(after), key))));
}

/// The losses when the settings of a destination of the server are replaced.
export function destinationLosses({ name, settings }, change) {
  const headers = (of) => Object.keys(of?.headers || {});
  const wanted = headers(change.settings).map((header) => header.toLowerCase());
  const gone = headers(settings).filter((header) => !wanted.includes(header.toLowerCase()));
  return [...named(`These headers of ${name} are deleted`, gone),
    ...(change.secret ? [`The stored secret access key of ${name} is replaced. The workspace never shows it.`] : [])];
}
