// How many events come over time: by type, name, source or the values of a property, compared with the previous period.

import { bars } from '../charts/chart.js';
import { ConditionsBar, conditionsHere } from '../parts/conditions-bar.js';
import { element } from '../parts/elements.js';
import { FunnelCounts } from '../charts/funnel-counts.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { LineChart } from '../charts/line-chart.js';
import { Messages } from '../parts/messages.js';
import { choice, note, nothing, part, table } from '../parts/parts.js';
import { Address } from './places.js';
import { PropertyCounts } from '../charts/property-counts.js';
import { RetentionCounts } from '../charts/retention-counts.js';
import { change, csv, fileOf, KeptCounts, Series, sum, zoneOf } from '../charts/series.js';
import { count, plural, shortened } from '../parts/text.js';
import { saveButton } from '../views/saved-view.js';

const Periods = [['7', '7 days'], ['30', '30 days'], ['90', '90 days']];
const Groups = [['type', 'By type'], ['name', 'By name'], ['source', 'By source'], ['property', 'By property'],
  ['funnel', 'Funnel'], ['retention', 'Retention']];
const Titles = { type: 'Type', name: 'Name', source: 'Source' };

export class ExplorePlace {
  /// The conditions, above the place.
  static above() {
    return new ConditionsBar().root;
  }

  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings, source: surroundings.source });
  }

  get period() {
    return Address.oneOf('days', Periods, '30');
  }

  get group() {
    return Address.oneOf('by', Groups, 'type');
  }

  /// Call it when the place is left.
  close() {
    this.counts?.close();
    this.chart?.close();
  }

  async start() {
    this.close();
    const counts = { property: PropertyCounts, funnel: FunnelCounts, retention: RetentionCounts }[this.group];
    if (counts) {
      this.counts = new counts(this.source, this.period);
      return this.counts.start(this.root, this.choices());
    }
    if (conditionsHere().length) return this.offerCounts();
    const kept = new KeptCounts({ sources: this.surroundings.sources, source: this.source, period: this.period, group: this.group });
    const catalog = await kept.catalog();
    return this.draw(catalog, kept.series(catalog));
  }

  /// The catalog counts events while they are stored, so its counts know no conditions.
  offerCounts() {
    const count = (words, property) => {
      const address = Address.of('/explore');
      return element('a', { class: 'button', href: `${address}&${new URLSearchParams({ by: 'property', property, days: this.period })}` }, words);
    };
    this.root.replaceChildren(part('Explore', this.choices(), nothing('With conditions, events are counted by a property',
      'Counts by type, name and source are kept while events arrive, for all events of a source. With conditions, the server '
        + 'reads the events one by one instead.',
      element('div', { class: 'choices' }, count('Count by type', 'type'), count('Count by name of track events', 'event'),
        count('Count by app version', 'context.app.version')))));
  }

  draw(catalog, all) {
    const total = Series.total('All', catalog.days, catalog.types);
    const days = catalog.days.slice(catalog.days.length / 2);
    if (!all.some((one) => sum(one.counts))) {
      this.root.replaceChildren(part('Explore', this.choices(), nothing('No event came in this time',
        'Choose a longer period, or send an event from the app. It appears here as soon as it is stored.')));
      return;
    }
    const text = `${plural(sum(total.now), 'event')} in ${days.length} days, ${count(sum(total.before))} in the `
      + `${days.length} days before: ${change(sum(total.before), sum(total.now))}. Days are counted in ${catalog.zone}, by the time of `
      + 'arrival. Today is not over yet.';
    const chart = new LineChart(days, [
      { label: 'All', values: total.now }, { label: 'All, before', values: total.before, isBefore: true },
      ...(all.length > 1 ? all.slice(0, Limits.exploreLines) : []).map((one) => ({
        label: shortened(one.label, Limits.onlyLength), values: one.now,
      })),
    ]);
    this.root.replaceChildren(part('Explore', [...this.choices(), ExplorePlace.download(days, all)], note(text),
      chart.root, this.table(all, days), ...(this.group === 'name' ? ExplorePlace.rest(catalog) : [])));
    this.chart = chart;
    begin(() => chart.open());
  }

  choices() {
    const changed = (name, otherwise) => (event) => {
      Address.set({ [name]: event.target.value === otherwise ? '' : event.target.value });
      return Messages.during(event.target, () => this.start());
    };
    return [
      choice(Groups, this.group, { id: 'by', 'aria-label': 'Counts', change: changed('by', 'type') }),
      choice(Periods, this.period, { id: 'period', 'aria-label': 'Period', change: changed('days', '30') }),
      saveButton(this.surroundings),
    ];
  }

  table(all, days) {
    const shown = all.slice(0, Limits.exploreRows);
    const rows = shown.map((one) => [
      ExplorePlace.label(one), bars(one.now, days), count(sum(one.now)), count(sum(one.before)),
      change(sum(one.before), sum(one.now)),
    ]);
    return element('div', { id: 'series' },
      table([Titles[this.group], `By day, ${zoneOf(this.source)}`, 'Count', 'Before', 'Change'], rows, { label: 'Counts' }),
      all.length > shown.length ? note(`${plural(all.length - shown.length, 'row')} more are in the CSV file.`) : undefined);
  }

  static label(series) {
    const text = shortened(series.label, Limits.catalogNameLength);
    return series.link ? element('a', { href: series.link }, text) : text;
  }

  static download(days, all) {
    const text = csv(days, all.map((one) => ({ label: one.label, values: one.now })));
    return element('a', {
      class: 'button', href: fileOf(text), download: `events-${days[0]}-${days.at(-1)}.csv`,
    }, 'Download CSV');
  }

  /// Names the events that the counts leave out.
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
