// How many events come over time: by type or by name, compared with the time before.

import { bars } from './chart.js';
import { element } from './elements.js';
import { Limits } from './limits.js';
import { Messages, choice, note, nothing, part, table } from './parts.js';
import { Address } from './places.js';
import { count, plural, shortened } from './text.js';
import { Workspace } from './workspace.js';

const Day = 86_400_000;
const Periods = [['7', '7 days'], ['30', '30 days'], ['90', '90 days']];
const Groups = [['type', 'By type'], ['name', 'By name']];

function sum(counts) {
  return counts.reduce((total, value) => total + value, 0);
}

function chosen(name, values, otherwise) {
  const value = Address.get(name);
  return values.some(([one]) => one === value) ? value : otherwise;
}

/// The change from one count to another; nothing when there is nothing to compare with.
function change(before, now) {
  if (!before) return now ? 'new' : '–';
  const percent = Math.round(((now - before) * 100) / before);
  if (!percent) return '± 0 %';
  return percent > 0 ? `+ ${count(percent)} %` : `− ${count(-percent)} %`;
}

/// The counts of some days, and of as many days before.
class Series {
  constructor(label, counts, entry) {
    Object.assign(this, { label, counts, entry });
  }

  get before() {
    return this.counts.slice(0, this.counts.length / 2);
  }

  get now() {
    return this.counts.slice(this.counts.length / 2);
  }
}

export class ExplorePlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, source: surroundings.source });
  }

  get period() {
    return chosen('days', Periods, '30');
  }

  get group() {
    return chosen('by', Groups, 'type');
  }

  async start() {
    const since = new Date(Date.now() - (2 * Number(this.period) - 1) * Day).toISOString().slice(0, 10);
    const query = new URLSearchParams({
      writeKey: this.source.writeKey, since, properties: false, limit: Limits.catalogMostNames,
    });
    this.draw(await Workspace.json(`/api/catalog?${query}`));
  }

  draw(catalog) {
    const total = new Series('All', catalog.days.map((_, index) => sum(catalog.types.map((one) => one.days[index]))));
    const all = (this.group === 'type' ? catalog.types : catalog.names)
      .map((entry) => new Series(ExplorePlace.labelOf(entry), entry.days, entry))
      .sort((one, other) => sum(other.now) - sum(one.now));
    const days = catalog.days.slice(catalog.days.length / 2);
    if (!all.length) {
      this.root.replaceChildren(part('Explore', this.choices(), nothing('No event came in this time',
        'Choose a longer period, or send an event from the app. It appears here as soon as it is stored.')));
      return;
    }
    const text = `${plural(sum(total.now), 'event')} in ${days.length} days, ${count(sum(total.before))} in the `
      + `${days.length} days before: ${change(sum(total.before), sum(total.now))}. Days are counted in UTC, by the time of `
      + 'arrival. Today is not over yet.';
    this.root.replaceChildren(part('Explore', [...this.choices(), this.download(days, all)], note(text),
      element('div', { class: 'large-bars' }, bars(total.now, days)), this.table(all, days),
      ...(this.group === 'type' ? [] : ExplorePlace.rest(catalog))));
  }

  static labelOf({ name, type }) {
    return name ? `${name} · ${type}` : type;
  }

  choices() {
    const changed = (name, otherwise) => (event) => {
      Address.set({ [name]: event.target.value === otherwise ? '' : event.target.value });
      Messages.during(event.target, () => this.start());
    };
    return [
      choice(Groups, this.group, { id: 'by', 'aria-label': 'Counts', change: changed('by', 'type') }),
      choice(Periods, this.period, { id: 'period', 'aria-label': 'Period', change: changed('days', '30') }),
    ];
  }

  table(all, days) {
    const shown = all.slice(0, Limits.exploreRows);
    const rows = shown.map((one) => [
      this.label(one), bars(one.now, days), count(sum(one.now)), count(sum(one.before)), change(sum(one.before), sum(one.now)),
    ]);
    const title = this.group === 'type' ? 'Type' : 'Name';
    return element('div', { id: 'series' },
      table([title, 'By day', 'Count', 'Before', 'Change'], rows, { label: 'Counts' }),
      all.length > shown.length ? note(`${plural(all.length - shown.length, 'name')} more are in the CSV file.`) : undefined);
  }

  label(series) {
    const text = shortened(series.label, Limits.catalogNameLength);
    if (this.group === 'type') return text;
    const query = new URLSearchParams({ source: this.source.writeKey, type: series.entry.type });
    if (series.entry.name !== null) query.set('name', series.entry.name);
    return element('a', { href: `/catalog?${query}` }, text);
  }

  /// A file with a row for each day and a column for each series.
  download(days, all) {
    const rows = [['day', ...all.map((one) => one.label)],
      ...days.map((day, index) => [day, ...all.map((one) => one.now[index])])];
    const text = `${rows.map((row) => row.map(ExplorePlace.cell).join(',')).join('\r\n')}\r\n`;
    return element('a', {
      class: 'button', href: `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`,
      download: `events-${days[0]}-${days.at(-1)}.csv`,
    }, 'Download CSV');
  }

  /// Names come from clients. A spreadsheet takes a text that begins so for a formula.
  static cell(value) {
    if (typeof value === 'number') return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  /// What the counts leave out.
  static rest(catalog) {
    const parts = [];
    if (catalog.otherEvents) {
      parts.push(note(`${plural(catalog.otherEvents, 'event')} came on days with too many names, and are in no row.`, 'failed'));
    }
    if (catalog.unlistedNames) {
      parts.push(note(`${plural(catalog.unlistedNames, 'name')} that came less often are in no row.`, 'failed'));
    }
    return parts;
  }
}
