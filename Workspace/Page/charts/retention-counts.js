// How many people came back, by the day or week in which they did a first event. The question stands in the address.

import { Breakdown } from '../api/breakdown.js';
import { chosenEvent, eventFields, eventQuery } from './event-fields.js';
import { conditionsHere } from '../parts/conditions-bar.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { choice, field, note, nothing, part } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { SearchProgress } from './search-progress.js';
import { count, plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Day = 86_400_000;
const Periods = [['day', 'by day'], ['week', 'by week']];
const Levels = 5; // of shading

function percent(people, all) {
  return `${((people / all) * 100).toFixed(0)} %`;
}

export class RetentionCounts {
  constructor(source, period) {
    Object.assign(this, { source, period });
    this.progress = new SearchProgress({ status: 'retention-status', stop: 'stop-retention' }, () => this.close());
    this.result = element('div', { id: 'retention' });
  }

  /// An event of the address; nil when there is none that can be read.
  static event(name) {
    try {
      const event = JSON.parse(Address.get(name));
      return event && typeof event === 'object' && !Array.isArray(event) ? event : undefined;
    } catch {
      return undefined;
    }
  }

  static get by() {
    return Address.oneOf('per', Periods, 'day');
  }

  async start(root, choices) {
    const query = new URLSearchParams({ writeKey: this.source.writeKey, properties: false, limit: Limits.suggestions });
    this.names = (await Workspace.json(`/api/catalog?${query}`)).names;
    root.replaceChildren(part('Explore', choices, this.form(), this.progress.root, this.result));
    if (RetentionCounts.event('first')) await this.count();
    else {
      this.result.replaceChildren(nothing('Which events?', 'Choose what people do first, such as signing up, and what those who '
        + 'come back do. The server counts them by the day or week in which they did the first event.'));
    }
  }

  // The question

  form() {
    const row = (name, ...more) => element('div', { class: 'line-form', id: `retention-${name}` },
      ...eventFields(this.names, RetentionCounts.event(name) || {}, ...more));
    this.first = row('first', 'First event');
    this.returning = row('returning', 'Came back with', 'the first event again', false);
    this.per = choice(Periods, RetentionCounts.by, { id: 'retention-per' });
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

  // Counting

  close() {
    this.search?.stop();
  }

  async count() {
    const since = new Date(Date.now() - (Number(this.period) - 1) * Day).toISOString().slice(0, 10);
    const query = new URLSearchParams({ writeKey: this.source.writeKey, since, by: RetentionCounts.by });
    const conditions = conditionsHere().map(({ text }) => text);
    for (const name of ['first', 'returning']) {
      const event = RetentionCounts.event(name);
      if (event) query.set(name, eventQuery(event, conditions));
    }
    this.search = new Breakdown(query, (message) => this.came(message), '/api/retention');
    this.progress.show({ looked: 0, most: 0 });
    try {
      await this.search.run();
      if (this.search.leaving.signal.aborted) this.progress.stopped(' There are no numbers before the end.');
    } catch (error) {
      this.progress.clear();
      this.result.replaceChildren(nothing('This question has no answer', error.message));
    }
  }

  came({ progress, result }) {
    if (progress) this.progress.show(progress);
    if (!result) return;
    this.progress.done(`${plural(result.looked, 'event')} were looked at. Days are counted in UTC, by the time when events happened.`);
    this.draw(result);
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
