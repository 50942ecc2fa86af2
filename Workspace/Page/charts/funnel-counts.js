// How many people did some steps, one after the other. The question stands in the address.

import { conditionsOf } from '../api/conditions.js';
import { drawing, element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, note, nothing, table, textInput } from '../parts/parts.js';
import { chosenEvent, eventFields, eventQuery, eventsOf, PeopleCounts } from './people-counts.js';
import { Address } from '../places/places.js';
import { firstDay, zoneOf } from './series.js';
import { count, plural, shortened } from '../parts/text.js';

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

export class FunnelCounts extends PeopleCounts {
  static noAnswer = 'This funnel has no answer';

  constructor(source, period) {
    super(source, period, 'funnel');
  }

  /// The question to the server for an address; nothing when the address has no steps.
  static search(address, source, period) {
    const steps = eventsOf(address, 'steps');
    if (!steps.length) return undefined;
    const query = new URLSearchParams({ writeKey: source.writeKey, since: firstDay(period, address.get('zone') || zoneOf(source)), limit: Limits.exploreValues });
    for (const name of ['window', 'property', 'zone', 'around']) if (address.get(name)) query.set(name, address.get(name));
    for (const step of steps) query.append('step', eventQuery(step, conditionsOf(address)));
    return { path: '/api/funnel', query };
  }

  /// The names of the steps of an address.
  static names(address) {
    return eventsOf(address, 'steps').map((step, index) => `${index + 1}. ${shortened(step.name ?? step.type, Limits.onlyLength)}`);
  }

  search() {
    return FunnelCounts.search(this.address, this.source, this.period);
  }

  invitation() {
    return nothing('Which steps?', 'Choose two events or more, in their order. The server counts the people who did one after the other.');
  }

  // The question

  form() {
    this.rows = element('div', { id: 'funnel-steps' });
    const steps = eventsOf(this.address, 'steps');
    for (const step of steps.length < 2 ? [...steps, {}, {}].slice(0, 2) : steps) this.addStep(step);
    this.window = choice(Windows, Address.oneOf('window', Windows, '604800'), { id: 'funnel-window' });
    this.property = textInput(Address.get('property'), { id: 'funnel-property', placeholder: 'context.os.name' });
    this.around = element('select', { id: 'funnel-around' });
    this.offerSteps(Address.get('around'));
    return element('form', { class: 'form', submit: (event) => this.asked(event) }, this.rows,
      element('div', { class: 'line-form' }, field('Within', this.window), field('By property', this.property, 'Of the first step; may be empty.'),
        field('Where people go', this.around, 'Before a step, and after it without the next one.'),
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
    if (this.around) this.offerSteps(this.around.value);
  }

  /// The steps about which the question may be where people go.
  offerSteps(chosen) {
    const steps = [...this.rows.children].map((_, index) => [String(index + 1), `At step ${index + 1}`]);
    this.around.replaceChildren(...[['', 'Do not ask'], ...steps].map(([value, text]) => element('option', { value }, text)));
    this.around.value = chosen;
    if (this.around.selectedIndex < 0) this.around.value = '';
  }

  remove(row) {
    row.remove();
    [...this.rows.children].forEach((one, index) => { one.querySelector('.field-name').textContent = `Step ${index + 1}`; });
    this.offerSteps(this.around.value);
  }

  asked(event) {
    event.preventDefault();
    const steps = [...this.rows.children].map(chosenEvent);
    const query = new URLSearchParams(location.search);
    query.set('steps', JSON.stringify(steps));
    query.set('window', this.window.value);
    if (this.property.value.trim()) query.set('property', this.property.value.trim());
    else query.delete('property');
    if (this.around.value) query.set('around', this.around.value);
    else query.delete('around');
    Address.visit(`/explore?${query}`);
  }

  // The result

  draw({ all, values, others, absent, unlistedValues, around }) {
    const [first] = all.people;
    if (!first) {
      this.result.replaceChildren(nothing('There is no first step in this time', 'Choose a longer period or another event.'));
      return;
    }
    const names = FunnelCounts.names(this.address);
    const rows = names.map((name, index) => [
      name, bar(all.people[index], first), count(all.people[index]), percent(all.people[index], first),
      index ? percent(all.people[index], all.people[index - 1]) : '', duration(all.medianSeconds[index]),
    ]);
    this.result.replaceChildren(
      note(`${count(all.people.at(-1))} of ${plural(first, 'person', 'people')} did all ${names.length} steps within `
        + `${duration(Number(Address.get('window') || 604_800))}: ${percent(all.people.at(-1), first)}.`),
      table(['Step', 'Share of the first', 'People', 'Share', 'Of the step before', 'Median time'], rows, { label: 'Steps' }),
      ...(Address.get('property') ? this.byValue(names, { values, others, absent }) : []),
      ...(unlistedValues ? [note(`${plural(unlistedValues, 'value')} that came less often are added up.`)] : []),
      ...(around ? FunnelCounts.around(around, names) : []));
  }

  /// The events that people did before and after a step.
  static around({ step, before, next }, names) {
    const isLast = step === names.length;
    const part = (title, text, counts) => [element('h3', {}, title), note(text), FunnelCounts.neighbours(title, counts)];
    return [element('div', { class: 'neighbours', id: 'funnel-neighbours' },
      element('div', {}, ...part(`Before ${names[step - 1]}`,
        `The event just before it, of ${plural(before.people, 'person', 'people')} who did it.`, before)),
      element('div', {}, ...part(`After ${names[step - 1]}`, isLast
        ? `The next event of ${plural(next.people, 'person', 'people')} who did all steps.`
        : `The next event of ${plural(next.people, 'person', 'people')} who did not go on to ${names[step]}, until their time was over.`, next)))];
  }

  static neighbours(title, { people, events, others, nothing: none }) {
    const label = ({ type, name }) => shortened(name === null ? type : `${name} · ${type}`, Limits.catalogNameLength);
    const all = [...events.map((one) => [label(one), one.people]),
      [element('em', {}, 'other events'), others], [element('em', {}, 'nothing'), none]].filter(([, number]) => number);
    return table(['Event', 'Share', 'People'], all.map(([name, number]) => [name, bar(number, people), count(number)]), { label: title });
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
