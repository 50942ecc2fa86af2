// The measure of a question of Explore: events or a statistic of numbers, by hour, day or week, in a time zone.

import { change, firstDay, isZone } from './series.js';
import { Limits } from '../api/limits.js';
import { choice, field, textInput } from '../parts/parts.js';
import { count, shortened } from '../parts/text.js';

const Statistics = [['', 'events'], ['sum', 'the sum'], ['average', 'the average'], ['median', 'the median'],
  ['p90', '90 % are below'], ['p95', '95 % are below'], ['p99', '99 % are below'], ['min', 'the smallest'], ['max', 'the largest']];
const Intervals = [['hour', 'hour'], ['day', 'day'], ['week', 'week']];
const Times = [['', 'time of arrival'], ['happened', 'time when it happened']];

function known(values, value) {
  return values.some(([one]) => one === value) ? value : values[0][0];
}

export function valueText(value) {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), Limits.catalogValueLength);
}

/// How an address asks to count.
export class Measure {
  /// `own` is the time zone of the source.
  constructor(address, own = 'UTC') {
    this.own = own;
    this.statistic = known(Statistics, address.get('statistic') || '');
    this.of = address.get('numbers') || '';
    this.interval = known([['day'], ...Intervals], address.get('interval') || 'day');
    this.time = known(Times, address.get('time') || '');
    this.isOfPairs = Boolean(address.get('property') && address.get('and'));
    this.zone = isZone(address.get('zone')) ? address.get('zone') : '';
  }

  /// The time zone of the days.
  get shownZone() {
    return this.zone || this.own;
  }

  /// Whether numbers are measured, and not events counted.
  get isOfNumbers() {
    return Boolean(this.statistic && this.of);
  }

  /// The head of a column of it.
  get title() {
    return this.isOfNumbers ? this.statistic[0].toUpperCase() + this.statistic.slice(1) : 'Count';
  }

  get words() {
    return this.isOfNumbers ? `${Statistics.find(([value]) => value === this.statistic)[1]} of ${this.of}` : 'events';
  }

  /// The sentence about its days.
  get days() {
    return `${{ hour: 'Hours', day: 'Days', week: 'Weeks' }[this.interval]} are counted in ${this.shownZone}, by the time `
      + `${this.time ? 'when events happened' : 'of arrival'}.`;
  }

  /// Adds what the server has to know.
  write(query, period) {
    query.set('since', firstDay(period, this.shownZone));
    if (this.interval !== 'day') query.set('interval', this.interval);
    for (const name of ['time', 'zone']) if (this[name]) query.set(name, this[name]);
    if (!this.isOfNumbers) return;
    query.set('statistic', this.statistic);
    query.set('of', this.of);
  }

  /// The fields for it, and their values for the address. `property` is the field of the property, which may be empty when
  /// numbers are measured.
  fields(suggestions, property) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    const zones = [['', `${this.own}, of the source`], ...[...new Set(['UTC', here, this.zone])]
      .filter((zone) => zone && zone !== this.own).map((zone) => [zone, zone])];
    const statistic = choice(Statistics, this.statistic, { id: 'statistic' });
    const of = textInput(this.of, { id: 'measured', list: suggestions, placeholder: 'properties.total' });
    const interval = choice(Intervals, this.interval, { id: 'interval' });
    const time = choice(Times, this.time, { id: 'time' });
    const zone = choice(zones, this.zone, { id: 'zone' });
    const path = field('Of the numbers in', of);
    const show = () => {
      path.hidden = !statistic.value;
      of.required = Boolean(statistic.value);
      property.required = !statistic.value;
    };
    statistic.addEventListener('change', show);
    show();
    return {
      fields: [field('Show', statistic), path, field('For each', interval), field('Count by', time), field('Time zone', zone)],
      values: () => ({
        statistic: statistic.value, numbers: statistic.value ? of.value.trim() : '', interval: interval.value === 'day' ? '' : interval.value,
        time: time.value, zone: zone.value,
      }),
    };
  }
}

/// A number of a statistic, or of events.
export function amount(value) {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return count(value);
  return Math.abs(value) < 1 ? String(Number(value.toPrecision(3))) : count(Number(value.toFixed(2)));
}

/// The answer of the server, as lines and rows of either events or the statistic.
export class Counted {
  constructor(result, measure) {
    this.measure = measure;
    measure.own = result.zone;
    // Hours as a reader says them. The file has them with their distance from UTC.
    this.names = result.days.map((day) => day.replace('T', ' ').replace(/(?:Z|[+-]\d\d:\d\d)$/, ''));
    this.labels = result.days;
    this.total = this.one(result.total, 'All');
    this.values = result.values.map((one) => ({ ...this.one(one, Counted.label(one, measure)), value: one.value, and: one.and }));
    this.rest = [['others', 'other values'], ['absent', 'without it']]
      .map(([name, label]) => ({ ...this.one(result[name], label), isRest: true })).filter((one) => one.events || one.eventsBefore);
  }

  /// The text of a value, or of a pair of values.
  static label({ value, and }, { isOfPairs }) {
    return isOfPairs ? `${valueText(value)} · ${and === undefined ? 'without it' : valueText(and)}` : valueText(value);
  }

  get all() {
    return [...this.values, ...this.rest];
  }

  one(tally, label) {
    const events = { values: tally.days, now: tally.count, before: tally.before };
    return {
      ...(this.measure.isOfNumbers ? this.ofNumbers(tally.measured) : events),
      label, events: tally.count, eventsBefore: tally.before, users: tally.users,
    };
  }

  /// Without a number there is no average, but a sum of nothing.
  ofNumbers({ numbers, value, before, days }) {
    const shown = (number) => number ?? (this.measure.statistic === 'sum' ? 0 : null);
    return { values: days.map(shown), now: shown(value), before: shown(before), numbers };
  }

  /// The word before the name of an hour, a day or a week.
  get on() {
    return { hour: 'at', day: 'on', week: 'in the week of' }[this.measure.interval];
  }

  static change({ before, now }) {
    // A share of less than nothing says nothing.
    return before < 0 ? '–' : change(before ?? 0, now ?? 0);
  }

  static values(line) {
    return line.values.map((value) => Math.max(0, value ?? 0));
  }
}
