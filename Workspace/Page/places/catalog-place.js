// The events of a source: their names, their numbers, and their properties.

import { CatalogEntry, hour, label } from '../catalog/catalog-entry.js';
import { bars } from '../charts/chart.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, choice, note, nothing, part, table, textInput } from '../parts/parts.js';
import { Address } from './places.js';
import { Plan } from '../catalog/plan.js';
import { firstDay, zoneOf } from '../charts/series.js';
import { count, plural, shortened } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Periods = [['7', '7 days'], ['30', '30 days'], ['90', '90 days'], ['366', 'A year']];
const DefaultPeriod = '30';

export class CatalogPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings, source: surroundings.source });
    this.limit = Limits.catalogNames;
  }

  get onlyDiffering() {
    return Address.get('plan') === 'differs';
  }

  get period() {
    return Address.oneOf('days', Periods, DefaultPeriod);
  }

  /// The name that the address asks for; a type alone means the events of that type without a name.
  get chosen() {
    const type = Address.get('type');
    return type ? { type, name: Address.get('name') || null } : undefined;
  }

  /// Call it when the place is left.
  close() {
    this.entry?.chart?.close();
  }

  async start() {
    const { chosen } = this;
    const catalog = await this.read(chosen);
    if (!chosen) return this.drawList(catalog);
    const entry = catalog.names.find((one) => one.type === chosen.type && one.name === chosen.name);
    if (!entry) return this.drawUnknown(chosen);
    this.close();
    this.entry = new CatalogEntry(this, entry, catalog.days, () => this.start());
    return this.entry.draw(this.root, [this.all(), this.periods()]);
  }

  async read(chosen) {
    // The name in the address may be a rare one.
    const limit = chosen ? Limits.catalogMostNames : this.limit;
    const query = new URLSearchParams({ writeKey: this.source.writeKey, limit });
    query.set('since', firstDay(this.period, zoneOf(this.source)));
    if (chosen) query.set('type', chosen.type);
    if (chosen?.name) query.set('name', chosen.name);
    return Workspace.json(`/api/catalog?${query}`);
  }

  periods() {
    return choice(Periods, this.period, {
      id: 'period', 'aria-label': 'Period', change: (event) => {
        Address.set({ days: event.target.value === DefaultPeriod ? '' : event.target.value });
        return Messages.during(event.target, () => this.start());
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

  /// The address of the counts of these events by a property.
  explore(entry) {
    return `/explore?${new URLSearchParams({
      source: this.source.writeKey, by: 'property', type: entry.type, ...(entry.name === null ? {} : { name: entry.name }),
    })}`;
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
    this.hasPlan = catalog.absent.length > 0 || catalog.names.some((entry) => entry.plan);
    const plan = this.hasPlan ? choice([['', 'All names'], ['differs', 'Not as planned']], Address.get('plan'), {
      id: 'plan', 'aria-label': 'Compared with the plan', change: (event) => {
        Address.set({ plan: event.target.value });
        this.drawRows(catalog);
      },
    }) : undefined;
    const total = catalog.types.reduce((sum, one) => sum + one.count, 0);
    const names = catalog.names.length + catalog.unlistedNames;
    const summary = names ? [note(`${plural(names, 'name')}, ${plural(total, 'event')}. Days are counted in ${catalog.zone}, by the `
      + 'time of arrival.')] : [];
    this.root.replaceChildren(part('Catalog', [search, plan, this.periods()], ...summary, this.rows, ...this.rest(catalog)));
    this.drawRows(catalog);
  }

  drawRows(catalog) {
    const terms = Address.get('find').toLowerCase().split(/\s+/).filter(Boolean);
    const found = catalog.names.filter((entry) => {
      const text = [entry.type, label(entry), ...entry.properties.map((one) => one.key)].join('\n').toLowerCase();
      return terms.every((term) => text.includes(term)) && (!this.onlyDiffering || Plan.differs(entry));
    });
    if (found.length) {
      const rows = found.map((entry) => this.row(entry, catalog.days));
      this.rows.replaceChildren(table(
        ['Name', 'Type', ...(this.hasPlan ? ['Plan'] : []), 'Count', `By day, ${catalog.zone}`, 'Properties', 'Last seen, UTC', 'Show'], rows,
        { label: 'Names of events' }));
    } else if (catalog.names.length) {
      this.rows.replaceChildren(terms.length || !this.onlyDiffering
        ? nothing('No name and no property matches', 'Take out a word of the search.')
        : nothing('Everything is as planned', 'Choose all names to see them.'));
    } else {
      this.rows.replaceChildren(nothing('No event came in this time',
        'Choose a longer period, or send an event from the app. It appears here as soon as it is stored.'));
    }
  }

  row(entry, days) {
    const mixed = entry.properties.filter(CatalogEntry.isMixed).length;
    const properties = element('span', {}, count(entry.properties.length),
      mixed ? element('span', { class: 'mixed' }, ` · ${mixed} of several types`) : undefined);
    const values = entry.name === null ? { type: entry.type } : { type: entry.type, name: entry.name };
    return [
      element('a', { href: this.address(values) }, shortened(label(entry), Limits.catalogNameLength)), entry.type,
      ...(this.hasPlan ? [Plan.mark(entry)] : []),
      count(entry.count), bars(entry.days, days), properties, hour(entry.lastHour),
      element('a', { href: this.events(entry), 'aria-label': `Events named ${label(entry)}` }, 'Events'),
    ];
  }

  /// Names the events that the list leaves out.
  rest(catalog) {
    const parts = [];
    const missing = catalog.absent.filter((event) => !event.blocked);
    if (missing.length) {
      parts.push(note(`Planned, and none came in these days: ${missing.map(label).join(', ')}.`, 'changed'));
    }
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
      return Messages.during(event.target, () => this.start());
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
}
