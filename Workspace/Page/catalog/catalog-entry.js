// One name of the catalog: its figures, its properties, its comparison with the plan, and the plugins and rules that
// touch it.

import { Condition, queryOf, exactText } from '../api/conditions.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { LineChart } from '../charts/line-chart.js';
import { eventLosses, eventTitle, replacedProperties } from '../parts/losses.js';
import { Messages } from '../parts/messages.js';
import { button, note, part, table } from '../parts/parts.js';
import { askBeforeLoss } from '../parts/questions.js';
import { Plan } from './plan.js';
import { Starts } from '../rollouts/starts.js';
import { zoneOf } from '../charts/series.js';
import { count, plural, shortened } from '../parts/text.js';
import { Touches } from '../rollouts/touches.js';
import { Workspace } from '../api/workspace.js';

/// The name of an event. An event without a name, such as an identify, shows its type.
export function label({ name, type }) {
  return name === null ? type : name;
}

/// The hour of the form `2026-11-21T08:00:00.000Z`. It is in UTC.
export function hour(text) {
  return new Date(text).toISOString().slice(0, 16).replace('T', ' ');
}

function share(part, whole) {
  if (!whole) return '0 %';
  const percent = (Math.min(part, whole) * 100) / whole;
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.floor(percent)} %`;
}

export class CatalogEntry {
  /// `place` is the catalog; `reload` reads it again.
  constructor(place, entry, days, reload) {
    Object.assign(this, { place, entry, days, reload, source: place.source });
    this.deploys = place.surroundings.may('deploy');
  }

  async draw(root, actions) {
    const { entry, days } = this;
    const figures = [['Type', entry.type], ['Events', count(entry.count)], ['First seen, UTC', hour(entry.firstHour)],
      ['Last seen, UTC', hour(entry.lastHour)]];
    const open = element('a', { class: 'button', href: this.place.events(entry) }, 'Open in Events');
    const explore = element('a', { class: 'button', href: this.place.explore(entry) }, 'Count by property');
    const properties = element('div', { id: 'properties' });
    const touches = new Touches(this.source, entry);
    this.chart = new LineChart(days, [{ label: 'Events', values: entry.days }]);
    root.replaceChildren(
      part(shortened(label(entry), Limits.catalogNameLength), [open, explore, ...actions],
        element('dl', { class: 'figures' }, ...figures.map(([name, value]) => element('div', {},
          element('dt', {}, name), element('dd', {}, value)))),
        this.chart.root, CatalogEntry.byDay(entry, days, zoneOf(this.source))),
      this.plan(),
      part(entry.type === 'identify' || entry.type === 'group' ? 'Traits' : 'Properties', [], properties),
      ...(this.deploys ? [touches.part(this.starts())] : []));
    begin(() => this.chart.open());
    const [examples] = await Promise.all([this.examples(), this.deploys ? touches.read() : undefined]);
    properties.replaceChildren(...this.properties(examples));
  }

  static byDay(entry, days, zone) {
    const rows = days.map((day, index) => [day, count(entry.days[index])]).filter((_, index) => entry.days[index]);
    return element('details', { class: 'by-day' }, element('summary', {}, `Counts by day, in ${zone}`),
      table(['Day', 'Events'], rows.reverse(), { label: 'Counts by day' }));
  }

  // The tracking plan

  plan() {
    const { entry } = this;
    const planned = entry.plan?.planned;
    const put = this.deploys ? button(planned ? 'Plan it as it comes …' : 'Add to the plan',
      (event) => this.put(event.target), { id: 'plan-event' }) : undefined;
    const parts = [];
    if (!planned) parts.push(note('This event is not in the tracking plan.', entry.plan ? 'failed' : undefined));
    else if (entry.plan.blocked) {
      parts.push(note('The plan blocks this event, and clients still send it. Destinations on the device do not get it.', 'failed'));
    } else if (!entry.plan.deviations.length) parts.push(note('All events of these days are as planned.', 'delivered'));
    else parts.push(note(`${plural(entry.plan.deviations.length, 'property', 'properties')} came otherwise than planned. See below.`, 'failed'));
    if (entry.plan?.description) parts.push(note(entry.plan.description));
    return part('Tracking plan', [put], ...parts);
  }

  async put(pressed) {
    const done = await Messages.during(pressed, async () => {
      const event = Plan.eventOf(this.entry);
      const losses = await this.losses(event);
      await askBeforeLoss({ title: 'Plan this event as it comes?', losses, action: 'Change the plan' });
      await Plan.put(this.source.writeKey, event);
    });
    if (!done) return;
    await this.reload();
    Messages.said(`${label(this.entry)} is planned.`);
  }

  /// The losses when the event is planned like this. Another person may have planned it meanwhile.
  async losses(event) {
    const { events } = await Plan.read(this.source.writeKey);
    const planned = events.find((one) => eventTitle(one) === eventTitle(event));
    return planned ? [...eventLosses(planned, event), ...replacedProperties(planned, event)] : [];
  }

  // New rules and plugins

  starts() {
    const starts = new Starts(this.source, this.entry);
    return [
      element('a', { class: 'button', id: 'start-filter', href: starts.filter }, 'Make a filter'),
      button('Write a plugin', (event) => Messages.during(event.target, () => starts.plugin()), { id: 'start-plugin' }),
    ];
  }

  // Properties

  properties(examples) {
    const { entry } = this;
    const deviations = new Map();
    for (const deviation of entry.plan?.deviations || []) {
      deviations.set(deviation.key, [...(deviations.get(deviation.key) || []), deviation]);
    }
    const plan = (key) => element('span', { class: 'mixed' }, (deviations.get(key) || []).map(Plan.text).join('; '));
    const rows = entry.properties.map((property) => [
      element('code', {}, property.key), CatalogEntry.types(property), share(property.count, entry.count),
      element('span', { class: 'examples' }, ...(examples.get(property.key) || []).map((value) => this.example(property.key, value))),
      ...(deviations.size ? [plan(property.key)] : []),
    ]);
    const known = new Set(entry.properties.map((property) => property.key));
    // Planned properties that never came.
    for (const key of deviations.keys()) {
      if (!known.has(key)) rows.push([element('code', {}, key), '', '0 %', '', plan(key)]);
    }
    const columns = ['Key', 'Type', 'In events', 'Newest values', ...(deviations.size ? ['Plan'] : [])];
    const parts = rows.length ? [table(columns, rows, { label: 'Properties' })] : [note('These events have none.')];
    if (entry.otherProperties) {
      parts.push(note(`${plural(entry.otherProperties, 'value')} came under keys that are not listed: a name has too many `
        + 'keys, or a key is too long.', 'failed'));
    }
    return parts;
  }

  /// Whether a key had values of more than one type. A missing value has no type.
  static isMixed(property) {
    return Object.keys(property.types).filter((type) => type !== 'null').length > 1;
  }

  static types(property) {
    const types = Object.entries(property.types).sort((one, other) => other[1] - one[1]);
    const text = types.length === 1 ? types[0][0]
      : types.map(([type, number]) => `${type} ${share(number, property.count)}`).join(', ');
    return element('span', { class: CatalogEntry.isMixed(property) ? 'mixed' : undefined }, text);
  }

  /// A few values of each property, from the newest events. The server keeps none for the catalog, so that none outlives
  /// its event.
  async examples() {
    const { entry } = this;
    const query = new URLSearchParams({
      writeKey: this.source.writeKey, type: entry.type, limit: Limits.catalogEvents, order: 'desc',
    });
    if (entry.name !== null) query.set('name', entry.name);
    const answer = await Workspace.json(`/api/events?${query}`);
    const examples = new Map();
    for (const { event } of answer.events) {
      const details = event?.[this.parent];
      if (!details || typeof details !== 'object') continue;
      for (const [key, value] of Object.entries(details)) {
        const known = examples.get(key) || [];
        if (known.length < Limits.catalogValues && !known.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
          examples.set(key, [...known, value]);
        }
      }
    }
    return examples;
  }

  /// The member of these events that has their properties.
  get parent() {
    return this.entry.type === 'identify' || this.entry.type === 'group' ? 'traits' : 'properties';
  }

  /// A value, which leads to the events that have it.
  example(key, value) {
    const words = element('code', {}, shortened(JSON.stringify(value), Limits.catalogValueLength));
    const text = exactText(value);
    const condition = text === undefined ? undefined : Condition.of([this.parent, key], '=', text);
    return condition ? element('a', {
      href: this.place.events(this.entry) + queryOf([condition]), title: 'Show the events with this value',
    }, words) : words;
  }
}
