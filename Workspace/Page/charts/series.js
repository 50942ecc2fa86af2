// Counts of days, and their comparison with other days.

import { Limits } from '../api/limits.js';
import { count } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Day = 86_400_000;

/// The time zone of a source: in it, days begin where a question names none.
export function zoneOf(source) {
  return source?.policy?.timeZone || 'UTC';
}

/// Whether the browser knows a time zone of that name.
export function isZone(name) {
  try {
    return Boolean(name && new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/// The first one of so many days, of which today is the last in a time zone.
export function firstDay(days, wanted = 'UTC') {
  const zone = isZone(wanted) ? wanted : 'UTC';
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date());
  return new Date(Date.parse(today) - (Number(days) - 1) * Day).toISOString().slice(0, 10);
}

export function sum(counts) {
  return counts.reduce((total, value) => total + value, 0);
}

/// The change from one count to another; nothing when there is nothing to compare with.
export function change(before, now) {
  if (!before) return now ? 'new' : '–';
  const percent = Math.round(((now - before) * 100) / before);
  if (!percent) return '± 0 %';
  return percent > 0 ? `+ ${count(percent)} %` : `− ${count(-percent)} %`;
}

/// A file with a row for each day and a column for each series `{label, values}`.
export function csv(days, series) {
  return tableFile([['day', ...series.map((one) => one.label)],
    ...days.map((day, index) => [day, ...series.map((one) => one.values[index])])]);
}

/// A file with such rows.
export function tableFile(rows) {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/// Names come from clients. A spreadsheet takes a text with such a beginning for a formula.
function cell(value) {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/// The address of a CSV file with such a text.
export function fileOf(text) {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}

/// The counts of some days, and of the same number of days before.
export class Series {
  constructor(label, counts, link) {
    Object.assign(this, { label, counts, link });
  }

  /// The sum of series.
  static total(label, days, all) {
    return new Series(label, days.map((_, index) => sum(all.map((one) => one.days[index]))));
  }

  get before() {
    return this.counts.slice(0, this.counts.length / 2);
  }

  get now() {
    return this.counts.slice(this.counts.length / 2);
  }
}

/// The counts that the server keeps while events arrive: by type, name or source, of a period and of the one before.
export class KeptCounts {
  constructor({ sources, source, period, group }) {
    Object.assign(this, { sources, source, period, group });
  }

  /// A catalog of both periods.
  catalog() {
    return this.group === 'source' ? this.ofSources() : this.of(this.source, Limits.catalogMostNames);
  }

  of({ writeKey }, limit) {
    const zone = zoneOf(this.source);
    const query = new URLSearchParams({ writeKey, since: firstDay(2 * Number(this.period), zone), zone, properties: false, limit });
    return Workspace.json(`/api/catalog?${query}`);
  }

  /// The counts of all sources, in the form of a catalog.
  async ofSources() {
    const catalogs = await Promise.all(this.sources.map((source) => this.of(source, 1)));
    const { days } = catalogs[0];
    return {
      days, zone: catalogs[0].zone, types: catalogs.flatMap((one) => one.types), unlistedNames: 0, otherEvents: 0,
      sources: this.sources.map((source, index) => ({ source, days: Series.total('', days, catalogs[index].types).counts })),
    };
  }

  /// The series of a catalog, the largest one first.
  series(catalog) {
    return this.unsorted(catalog).sort((one, other) => sum(other.now) - sum(one.now));
  }

  unsorted(catalog) {
    const address = (path, values) => `${path}?${new URLSearchParams(values)}`;
    if (this.group === 'source') {
      return catalog.sources.map(({ source, days }) => new Series(source.name || source.writeKey, days,
        address('/explore', { source: source.writeKey, by: 'name' })));
    }
    if (this.group === 'type') return catalog.types.map((one) => new Series(one.type, one.days));
    return catalog.names.map((one) => new Series(one.name ? `${one.name} · ${one.type}` : one.type, one.days,
      address('/catalog', { source: this.source.writeKey, type: one.type, ...(one.name === null ? {} : { name: one.name }) })));
  }
}
