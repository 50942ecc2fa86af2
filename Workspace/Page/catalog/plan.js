// The tracking plan of a source: the planned events, and the comparison of real events with them.

import { Condition, queryOf } from '../api/conditions.js';
import { element } from '../parts/elements.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// Properties of a planned event that are typed have one of these types.
export const PlannedTypes = Object.freeze([
  ['', 'any type'], ['string', 'string'], ['number', 'number'], ['boolean', 'boolean'], ['object', 'object'], ['array', 'array'],
]);

export class Plan {
  static path(writeKey, more = '') {
    return Workspace.source(writeKey, `plan${more}`);
  }

  static read(writeKey) {
    return Workspace.json(Plan.path(writeKey));
  }

  /// Plans one event. It replaces a planned event of the same type and name.
  static put(writeKey, event) {
    return Workspace.send('POST', Plan.path(writeKey, '/events'), event);
  }

  /// A planned event that matches the stored ones: a property is required when every event had it, and has a type when
  /// all values had the same type.
  static eventOf(entry) {
    const properties = entry.properties.map((property) => {
      const types = Object.keys(property.types).filter((type) => type !== 'null');
      const values = property.count - (property.types.null || 0);
      return {
        key: property.key, ...(types.length === 1 ? { type: types[0] } : {}), ...(values >= entry.count ? { required: true } : {}),
      };
    });
    const event = { type: entry.type, properties };
    if (entry.name !== null) event.name = entry.name;
    if (entry.plan?.description) event.description = entry.plan.description;
    if (entry.plan?.owner) event.owner = entry.plan.owner;
    if (entry.plan?.blocked) event.blocked = true;
    return event;
  }

  /// Whether some events differ from the plan.
  static differs(entry) {
    return Boolean(entry.plan) && (!entry.plan.planned || entry.plan.blocked || entry.plan.deviations.length > 0);
  }

  /// How a single event differs, in words.
  static problem({ problem, key }) {
    switch (problem) {
      case 'event': return 'the event is not planned';
      case 'blocked': return 'the plan blocks the event';
      case 'unplanned': return `${key} is not planned`;
      case 'missing': return `${key} is missing`;
      case 'type': return `${key} is of another type`;
      default: return `${key} has a value that is not allowed`;
    }
  }

  /// The name of an event. An event without a name, such as an identify, shows its type.
  static label({ name, type }) {
    return name || type;
  }

  /// The address of one planned event, or of the plan.
  static address(writeKey, event = undefined, more = {}) {
    const named = event ? { type: event.type, ...(event.name ? { name: event.name } : {}) } : {};
    return `/plan?${new URLSearchParams({ source: writeKey, ...named, ...more })}`;
  }

  /// The address of the stored events of a planned event. With a key, only of the events with that property.
  static events(writeKey, event, key = undefined) {
    const query = new URLSearchParams({ source: writeKey, type: event.type, ...(event.name ? { name: event.name } : {}) });
    const parent = event.type === 'identify' || event.type === 'group' ? 'traits' : 'properties';
    const condition = key === undefined ? undefined : Condition.of([parent, key]);
    return `/?${query}${condition ? queryOf([condition]) : ''}`;
  }

  /// The state of a planned event. `entry` has the events of that name; the catalog has none for a name that did not come, or
  /// that came too rarely.
  static state(event, entry, isAbsent = !entry) {
    if (!entry && !isAbsent) return { name: 'rare', text: 'came rarely', outcome: 'unknown' };
    if (!entry) return event.blocked ? { name: 'blocked', text: 'blocked', outcome: 'unknown' } : { name: 'absent', text: 'not come yet', outcome: 'changed' };
    if (event.blocked) return { name: 'came', text: 'blocked, and came', outcome: 'failed' };
    const differences = entry.plan?.deviations.length || 0;
    return differences ? { name: 'differs', text: plural(differences, 'difference'), outcome: 'failed' }
      : { name: 'planned', text: 'as planned', outcome: 'delivered' };
  }

  /// The comparison of a name's events with the plan, in a few words.
  static mark(entry) {
    const { plan } = entry;
    if (!plan) return '';
    if (!plan.planned) return element('span', { class: 'plan-mark', 'data-outcome': 'failed' }, 'not planned');
    if (plan.blocked) return element('span', { class: 'plan-mark', 'data-outcome': 'failed' }, 'blocked, and came');
    return plan.deviations.length
      ? element('span', { class: 'plan-mark', 'data-outcome': 'failed' }, plural(plan.deviations.length, 'difference'))
      : element('span', { class: 'plan-mark', 'data-outcome': 'delivered' }, 'as planned');
  }

  static text(deviation) {
    const events = plural(deviation.count, 'event');
    switch (deviation.problem) {
      case 'unplanned': return `not planned, and ${events} ${deviation.count === 1 ? 'has' : 'have'} it`;
      case 'missing': return `required, and ${events} ${deviation.count === 1 ? 'lacks' : 'lack'} it`;
      case 'value': return `${events} ${deviation.count === 1 ? 'has' : 'have'} a value that is not allowed`;
      default: return `should be ${deviation.planned}, and ${events} ${deviation.count === 1 ? 'has' : 'have'} another type`;
    }
  }
}
