// Which events a source has: their names, how often they come, and with which properties.

import { bars } from './chart.js';
import { element } from './elements.js';
import { Limits } from './limits.js';
import { Messages, button, choice, note, nothing, part, table, textInput } from './parts.js';
import { Address } from './places.js';
import { count, padded, plural, shortened } from './text.js';
import { Workspace } from './workspace.js';

const Periods = [['7', '7 days'], ['30', '30 days'], ['90', '90 days'], ['366', 'A year']];
const DefaultPeriod = '30';

/// What an event is called; one without a name, such as an identify, by its type.
function label({ name, type }) {
  return name === null ? type : name;
}

/// The hour of the form `2026-11-21T08:00:00.000Z`, in the reader's time zone.
function hour(text) {
  const date = new Date(text);
  const day = date.toLocaleDateString('en', { year: 'numeric', month: 'short', day: 'numeric' });
  return `${day}, ${padded(date.getHours())}:${padded(date.getMinutes())}`;
}

function share(part, whole) {
  if (!whole) return '0 %';
  const percent = (Math.min(part, whole) * 100) / whole;
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.floor(percent)} %`;
}

export class CatalogPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, source: surroundings.source });
    this.limit = Limits.catalogNames;
  }

  get period() {
    const days = Address.get('days');
    return Periods.some(([value]) => value === days) ? days : DefaultPeriod;
  }

  /// The name that the address asks for; a type alone means the events of that type without a name.
  get chosen() {
    const type = Address.get('type');
    return type ? { type, name: Address.get('name') || null } : undefined;
  }

  async start() {
    const { chosen } = this;
    const catalog = await this.read(chosen);
    if (!chosen) return this.drawList(catalog);
    const entry = catalog.names.find((one) => one.type === chosen.type && one.name === chosen.name);
    return entry ? this.drawEntry(entry, catalog.days) : this.drawUnknown(chosen);
  }

  async read(chosen) {
    // A name that is asked for may be a rare one.
    const limit = chosen ? Limits.catalogMostNames : this.limit;
    const query = new URLSearchParams({ writeKey: this.source.writeKey, limit });
    const since = new Date(Date.now() - (Number(this.period) - 1) * 86_400_000);
    query.set('since', since.toISOString().slice(0, 10));
    if (chosen) query.set('type', chosen.type);
    if (chosen?.name) query.set('name', chosen.name);
    return Workspace.json(`/api/catalog?${query}`);
  }

  periods() {
    return choice(Periods, this.period, {
      id: 'period', 'aria-label': 'Period', change: (event) => {
        Address.set({ days: event.target.value === DefaultPeriod ? '' : event.target.value });
        Messages.during(event.target, () => this.start());
      },
    });
  }

  /// The address of this place with other values.
  address(values) {
    const query = new URLSearchParams({ source: this.source.writeKey, days: this.period, ...values });
    return `/catalog?${query}`;
  }

  events(entry) {
    const query = new URLSearchParams({ source: this.source.writeKey, type: entry.type });
    if (entry.name !== null) query.set('name', entry.name);
    return `/?${query}`;
  }

  // All names

  drawList(catalog) {
    const search = textInput(Address.get('find'), {
      id: 'find', 'aria-label': 'Find names and properties', placeholder: 'Find names and properties', input: () => {
        Address.set({ find: search.value });
        this.drawRows(catalog);
      },
    });
    this.rows = element('div', { id: 'names' });
    const total = catalog.types.reduce((sum, one) => sum + one.count, 0);
    const names = catalog.names.length + catalog.unlistedNames;
    const summary = names ? [note(`${plural(names, 'name')}, ${plural(total, 'event')}. Days are counted in UTC, by the `
      + 'time of arrival.')] : [];
    this.root.replaceChildren(part('Catalog', [search, this.periods()], ...summary, this.rows, ...this.rest(catalog)));
    this.drawRows(catalog);
  }

  drawRows(catalog) {
    const terms = Address.get('find').toLowerCase().split(/\s+/).filter(Boolean);
    const found = catalog.names.filter((entry) => {
      const text = [entry.type, label(entry), ...entry.properties.map((one) => one.key)].join('\n').toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    if (found.length) {
      const rows = found.map((entry) => this.row(entry, catalog.days));
      this.rows.replaceChildren(table(
        ['Name', 'Type', 'Count', 'By day', 'Properties', 'Last seen', 'Show'], rows, { label: 'Names of events' }));
    } else if (catalog.names.length) {
      this.rows.replaceChildren(nothing('No name and no property matches', 'Take out a word of the search.'));
    } else {
      this.rows.replaceChildren(nothing('No event came in this time',
        'Choose a longer period, or send an event from the app. It appears here as soon as it is stored.'));
    }
  }

  row(entry, days) {
    const mixed = entry.properties.filter(CatalogPlace.isMixed).length;
    const properties = element('span', {}, count(entry.properties.length),
      mixed ? element('span', { class: 'mixed' }, ` · ${mixed} of several types`) : undefined);
    const values = entry.name === null ? { type: entry.type } : { type: entry.type, name: entry.name };
    return [
      element('a', { href: this.address(values) }, shortened(label(entry), Limits.catalogNameLength)), entry.type,
      count(entry.count), bars(entry.days, days), properties, hour(entry.lastHour),
      element('a', { href: this.events(entry), 'aria-label': `Events named ${label(entry)}` }, 'Events'),
    ];
  }

  /// What the list leaves out.
  rest(catalog) {
    const parts = [];
    if (catalog.otherEvents) {
      parts.push(note(`${plural(catalog.otherEvents, 'event')} came on days with too many names, and are counted without `
        + 'theirs. Names that contain an id or a time belong into a property.', 'failed'));
    }
    if (catalog.unlistedNames) {
      parts.push(note(`${plural(catalog.unlistedNames, 'name')} that came less often are not shown.`));
      if (this.limit < Limits.catalogMostNames) parts.push(this.more());
    }
    return parts;
  }

  more() {
    return button('Show more names', (event) => {
      this.limit = Limits.catalogMostNames;
      Messages.during(event.target, () => this.start());
    });
  }

  // One name

  drawUnknown(chosen) {
    this.root.replaceChildren(part('Catalog', [this.all(), this.periods()], nothing(
      'No such event came in this time', `There is no ${label(chosen)}. Choose a longer period, or look at all names.`)));
  }

  all() {
    return element('a', { class: 'button', href: this.address({}) }, 'All names');
  }

  async drawEntry(entry, days) {
    const figures = [['Type', entry.type], ['Events', count(entry.count)], ['First seen', hour(entry.firstHour)],
      ['Last seen', hour(entry.lastHour)]];
    const open = element('a', { class: 'button', href: this.events(entry) }, 'Open in Events');
    const properties = element('div', { id: 'properties' });
    this.root.replaceChildren(
      part(shortened(label(entry), Limits.catalogNameLength), [open, this.all(), this.periods()],
        element('dl', { class: 'figures' }, ...figures.map(([name, value]) => element('div', {},
          element('dt', {}, name), element('dd', {}, value)))),
        element('div', { class: 'large-bars' }, bars(entry.days, days)), CatalogPlace.byDay(entry, days)),
      part(entry.type === 'identify' || entry.type === 'group' ? 'Traits' : 'Properties', [], properties));
    const examples = await this.examples(entry);
    properties.replaceChildren(...CatalogPlace.properties(entry, examples));
  }

  static byDay(entry, days) {
    const rows = days.map((day, index) => [day, count(entry.days[index])]).filter((_, index) => entry.days[index]);
    return element('details', { class: 'by-day' }, element('summary', {}, 'Counts by day'),
      table(['Day', 'Events'], rows.reverse(), { label: 'Counts by day' }));
  }

  /// Whether values of more than one type came under a key. A missing value is none.
  static isMixed(property) {
    return Object.keys(property.types).filter((type) => type !== 'null').length > 1;
  }

  static properties(entry, examples) {
    const rows = entry.properties.map((property) => [
      element('code', {}, property.key), CatalogPlace.types(property), share(property.count, entry.count),
      element('span', { class: 'examples' }, ...(examples.get(property.key) || []).map((text) => element('code', {}, text))),
    ]);
    const parts = rows.length ? [table(['Key', 'Type', 'In events', 'Newest values'], rows, { label: 'Properties' })]
      : [note('These events have none.')];
    if (entry.otherProperties) {
      parts.push(note(`${plural(entry.otherProperties, 'value')} came under keys that are not listed: a name has too many `
        + 'keys, or a key is too long.', 'failed'));
    }
    return parts;
  }

  static types(property) {
    const types = Object.entries(property.types).sort((one, other) => other[1] - one[1]);
    const text = types.length === 1 ? types[0][0]
      : types.map(([type, number]) => `${type} ${share(number, property.count)}`).join(', ');
    return element('span', { class: CatalogPlace.isMixed(property) ? 'mixed' : undefined }, text);
  }

  /// A few values of each property, from the newest events. The server keeps none for the catalog, so that none outlives
  /// its event.
  async examples(entry) {
    const query = new URLSearchParams({
      writeKey: this.source.writeKey, type: entry.type, limit: Limits.catalogEvents, order: 'desc',
    });
    if (entry.name !== null) query.set('name', entry.name);
    const answer = await Workspace.json(`/api/events?${query}`);
    const examples = new Map();
    for (const { event } of answer.events) {
      const details = event?.[entry.type === 'identify' || entry.type === 'group' ? 'traits' : 'properties'];
      if (!details || typeof details !== 'object') continue;
      for (const [key, value] of Object.entries(details)) {
        const known = examples.get(key) || [];
        const text = shortened(JSON.stringify(value), Limits.catalogValueLength);
        if (known.length < Limits.catalogValues && !known.includes(text)) examples.set(key, [...known, text]);
      }
    }
    return examples;
  }
}
