// How many people came back, by the day or week in which they did a first event. The question stands in the address.

import { conditionsOf } from '../api/conditions.js';
import { element } from '../parts/elements.js';
import { choice, field, note, nothing } from '../parts/parts.js';
import { chosenEvent, eventFields, eventQuery, eventsOf, PeopleCounts } from './people-counts.js';
import { Address } from '../places/places.js';
import { firstDay, zoneOf } from './series.js';
import { count, plural } from '../parts/text.js';

const Periods = [['day', 'by day'], ['week', 'by week']];
const Levels = 5; // of shading

function percent(people, all) {
  return `${((people / all) * 100).toFixed(0)} %`;
}

export class RetentionCounts extends PeopleCounts {
  static noAnswer = 'This question has no answer';

  constructor(source, period) {
    super(source, period, 'retention');
  }

  /// Whether an address asks by day or by week.
  static period(address) {
    return address.get('per') === 'week' ? 'week' : 'day';
  }

  /// The question to the server for an address; nothing when the address has no first event.
  static search(address, source, period) {
    if (!eventsOf(address, 'first').length) return undefined;
    const query = new URLSearchParams({ writeKey: source.writeKey, since: firstDay(period, address.get('zone') || zoneOf(source)), by: RetentionCounts.period(address) });
    if (address.get('zone')) query.set('zone', address.get('zone'));
    for (const name of ['first', 'returning']) {
      for (const event of eventsOf(address, name)) query.set(name, eventQuery(event, conditionsOf(address)));
    }
    return { path: '/api/retention', query };
  }

  search() {
    return RetentionCounts.search(this.address, this.source, this.period);
  }

  invitation() {
    return nothing('Which events?', 'Choose the event that people do first, such as signing up, and the event that they do when they come '
      + 'back. The server counts them by the day or week in which they did the first event.');
  }

  // The question

  form() {
    const row = (name, ...more) => element('div', { class: 'line-form', id: `retention-${name}` },
      ...eventFields(this.names, eventsOf(this.address, name)[0] || {}, ...more));
    this.first = row('first', 'First event');
    this.returning = row('returning', 'Came back with', 'the first event again', false);
    this.per = choice(Periods, Address.oneOf('per', Periods, 'day'), { id: 'retention-per' });
    return element('form', { class: 'form', submit: (event) => this.asked(event) }, this.first, this.returning,
      element('div', { class: 'line-form' }, field('People', this.per),
        element('button', { class: 'button strong', type: 'submit', id: 'count-retention' }, 'Count')));
  }

  asked(event) {
    event.preventDefault();
    const query = new URLSearchParams(location.search);
    query.set('first', JSON.stringify(chosenEvent(this.first)));
    query.set('per', this.per.value);
    const returning = chosenEvent(this.returning);
    if (returning) query.set('returning', JSON.stringify(returning));
    else query.delete('returning');
    Address.visit(`/explore?${query}`);
  }

  // The result

  draw({ by, cohorts, all }) {
    if (!all.people) {
      this.result.replaceChildren(nothing('There is no first event in this time', 'Choose a longer period or another event.'));
      return;
    }
    // Columns are left out when no cohort is so old.
    const later = all.of.filter(Boolean).map((_, index) => index + 1);
    const titles = [by === 'week' ? 'Week of' : 'Day', 'People'].map((title) => element('th', { scope: 'col' }, title));
    const head = element('tr', {}, ...titles, ...later.map((number) => element('th', {
      scope: 'col', 'aria-label': `${plural(number, by)} later`,
    }, `+${number}`)));
    const rows = cohorts.filter(({ people }) => people).map(({ since, people, returned }) => (
      RetentionCounts.row(since, people, returned.slice(0, later.length).map((one) => [one, people]))));
    const total = RetentionCounts.row('All', all.people, later.map((_, index) => [all.returned[index], all.of[index]]));
    const title = 'People who came back';
    this.result.replaceChildren(
      note(`${plural(all.people, 'person', 'people')} did the first event. A cell has the share of them who came back so many ${by}s `
        + `later, and their number. The last ${by} is not over yet.`),
      element('div', { class: 'cohorts', tabindex: '0', role: 'region', 'aria-label': title },
        element('table', {}, element('thead', {}, head), element('tbody', {}, total, ...rows))));
  }

  static row(title, people, cells) {
    return element('tr', {}, element('th', { scope: 'row' }, title), element('td', {}, count(people)),
      ...cells.map(([one, all]) => RetentionCounts.cell(one, all)));
  }

  static cell(people, all) {
    return element('td', { 'data-level': Math.ceil((people / all) * Levels) }, percent(people, all), ' ',
      element('small', {}, count(people)));
  }
}
