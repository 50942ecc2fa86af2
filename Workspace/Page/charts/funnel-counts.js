// How many people did some steps, one after the other. The question stands in the address.

import { Breakdown } from '../api/breakdown.js';
import { chosenEvent, eventFields, eventQuery } from './event-fields.js';
import { conditionsHere } from '../parts/conditions-bar.js';
import { drawing, element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, note, nothing, part, table, textInput } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { SearchProgress } from './search-progress.js';
import { count, plural, shortened } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Day = 86_400_000;
const Windows = [['3600', '1 hour'], ['86400', '1 day'], ['604800', '7 days'], ['2592000', '30 days'], ['7776000', '90 days']];

/// A number of seconds in the largest unit that fits.
function duration(seconds) {
  if (seconds === null || seconds === undefined) return '';
  const units = [[86_400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']];
  const [size, unit] = units.find(([length]) => seconds >= length) || units.at(-1);
  return plural(Math.round(seconds / size), unit);
}

export function percent(people, first) {
  return first ? `${((people / first) * 100).toFixed(1)} %` : '';
}

/// The bar of a step, as long as its share.
export function bar(people, first) {
  return drawing('svg', {
    class: 'bars', viewBox: '0 0 100 10', preserveAspectRatio: 'none', role: 'img', 'aria-label': percent(people, first),
  }, drawing('path', { d: `M0 0h${first ? (people / first) * 100 : 0}v10H0z` }));
}

export class FunnelCounts {
  constructor(source, period) {
    Object.assign(this, { source, period });
    this.progress = new SearchProgress({ status: 'funnel-status', stop: 'stop-funnel' }, () => this.close());
    this.result = element('div', { id: 'funnel' });
  }

  /// The steps in the address, each with `type`, `name` and `where`; nil when there are none that can be read.
  static get steps() {
    try {
      const steps = JSON.parse(Address.get('steps'));
      return Array.isArray(steps) && steps.every((step) => step && typeof step === 'object') ? steps : undefined;
    } catch {
      return undefined;
    }
  }

  async start(root, choices) {
    const query = new URLSearchParams({ writeKey: this.source.writeKey, properties: false, limit: Limits.suggestions });
    this.names = (await Workspace.json(`/api/catalog?${query}`)).names;
    root.replaceChildren(part('Explore', choices, this.form(), this.progress.root, this.result));
    if (FunnelCounts.steps) await this.count();
    else {
      this.result.replaceChildren(nothing('Which steps?', 'Choose two events or more, in their order. The server '
        + 'counts the people who did one after the other.'));
    }
  }

  // The question

  form() {
    this.rows = element('div', { id: 'funnel-steps' });
    const steps = FunnelCounts.steps || [];
    for (const step of steps.length < 2 ? [...steps, {}, {}].slice(0, 2) : steps) this.addStep(step);
    this.window = choice(Windows, Address.oneOf('window', Windows, '604800'), { id: 'funnel-window' });
    this.property = textInput(Address.get('property'), { id: 'funnel-property', placeholder: 'context.os.name' });
    return element('form', { class: 'form', submit: (event) => this.asked(event) }, this.rows,
      element('div', { class: 'line-form' }, field('Within', this.window), field('By property', this.property, 'Of the first step; may be empty.'),
        button('Add a step', () => this.addStep({}), { id: 'add-step' }),
        element('button', { class: 'button strong', type: 'submit', id: 'count-funnel' }, 'Count')));
  }

  addStep(step) {
    if (this.rows.childElementCount >= Limits.funnelSteps) {
      Messages.said(`A funnel has at most ${Limits.funnelSteps} steps.`, 'failed');
      return;
    }
    const number = this.rows.childElementCount + 1;
    const row = element('div', { class: 'line-form funnel-step' }, ...eventFields(this.names, step, `Step ${number}`));
    if (number > 2) row.append(button('Remove', () => this.remove(row)));
    this.rows.append(row);
  }

  remove(row) {
    row.remove();
    [...this.rows.children].forEach((one, index) => { one.querySelector('.field-name').textContent = `Step ${index + 1}`; });
  }

  asked(event) {
    event.preventDefault();
    const steps = [...this.rows.children].map(chosenEvent);
    const query = new URLSearchParams(location.search);
    query.set('steps', JSON.stringify(steps));
    query.set('window', this.window.value);
    if (this.property.value.trim()) query.set('property', this.property.value.trim());
    else query.delete('property');
    Address.visit(`/explore?${query}`);
  }

  // Counting

  close() {
    this.search?.stop();
  }

  async count() {
    const since = new Date(Date.now() - (Number(this.period) - 1) * Day).toISOString().slice(0, 10);
    const query = new URLSearchParams({ writeKey: this.source.writeKey, since, limit: Limits.exploreValues });
    for (const name of ['window', 'property']) if (Address.get(name)) query.set(name, Address.get(name));
    const conditions = conditionsHere().map(({ text }) => text);
    for (const step of FunnelCounts.steps) query.append('step', eventQuery(step, conditions));
    this.search = new Breakdown(query, (message) => this.came(message), '/api/funnel');
    this.progress.show({ looked: 0, most: 0 });
    try {
      await this.search.run();
      if (this.search.leaving.signal.aborted) this.progress.stopped(' A funnel has no numbers before its end.');
    } catch (error) {
      this.progress.clear();
      this.result.replaceChildren(nothing('This funnel has no answer', error.message));
    }
  }

  came({ progress, result }) {
    if (progress) this.progress.show(progress);
    if (!result) return;
    this.progress.done(`${plural(result.looked, 'event')} were looked at. Days are counted in UTC, by the time when events happened.`);
    this.draw(result);
  }

  // The result

  draw({ all, values, others, absent, unlistedValues }) {
    const [first] = all.people;
    if (!first) {
      this.result.replaceChildren(nothing('There is no first step in this time', 'Choose a longer period or another event.'));
      return;
    }
    const steps = FunnelCounts.steps;
    const name = (step, index) => `${index + 1}. ${shortened(step.name ?? step.type, Limits.onlyLength)}`;
    const rows = steps.map((step, index) => [
      name(step, index), bar(all.people[index], first), count(all.people[index]), percent(all.people[index], first),
      index ? percent(all.people[index], all.people[index - 1]) : '', duration(all.medianSeconds[index]),
    ]);
    this.result.replaceChildren(
      note(`${count(all.people.at(-1))} of ${plural(first, 'person', 'people')} did all ${steps.length} steps within `
        + `${duration(Number(Address.get('window') || 604_800))}: ${percent(all.people.at(-1), first)}.`),
      table(['Step', 'Share of the first', 'People', 'Share', 'Of the step before', 'Median time'], rows, { label: 'Steps' }),
      ...(Address.get('property') ? this.byValue(steps.map(name), { values, others, absent }) : []),
      ...(unlistedValues ? [note(`${plural(unlistedValues, 'value')} that came less often are added up.`)] : []));
  }

  byValue(names, { values, others, absent }) {
    const text = (value) => shortened(typeof value === 'string' ? value : JSON.stringify(value), Limits.catalogValueLength);
    const all = [...values.map((one) => ({ ...one, label: element('code', {}, text(one.value)) })),
      { ...others, label: element('em', {}, 'other values') }, { ...absent, label: element('em', {}, 'without it') }];
    const rows = all.filter(({ people }) => people[0]).map(({ label, people }) => [label, ...people.map((one, index) => (
      index ? `${count(one)} (${percent(one, people[0])})` : count(one)))]);
    return [table(['Value', ...names], rows, { label: 'Steps by value' })];
  }
}
