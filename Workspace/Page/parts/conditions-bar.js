// The conditions of the address: a value that can become one, and the chips above a list, which take them away again.

import { element } from './elements.js';
import { Messages } from './messages.js';
import { button, textInput } from './parts.js';
import { Condition, conditionsOf, MostConditions, queryOf, suggested, withConditions } from '../api/conditions.js';
import { Workspace } from '../api/workspace.js';
import { formConditions } from '../forms/rules.js';
import { Address } from '../places/places.js';

/// The conditions of the address of the page.
export function conditionsHere() {
  return conditionsOf(location.search);
}

/// Shows the events that meet other conditions. The browser's Back shows those of before.
export function showConditions(conditions) {
  const query = new URLSearchParams(location.search);
  // With other conditions, the list is not that of a filter any more.
  query.delete('filter');
  query.delete('destination');
  Address.visit(location.pathname + withConditions(`?${query}`, conditions));
}

function add(condition) {
  const conditions = conditionsHere();
  if (conditions.some(({ text }) => text === condition.text)) return;
  if (conditions.length === MostConditions) {
    Messages.said(`There can be ${MostConditions} conditions at once. Remove one first.`, 'failed');
    return;
  }
  showConditions([...conditions, condition]);
}

// A value

/// The conditions that are offered now, and the value that offers them.
let opened;

function close() {
  opened?.offers.remove();
  opened?.value.setAttribute('aria-expanded', 'false');
  opened = undefined;
}

/// A value that offers conditions when it is pressed. `kind` and `text` are those of a node of JSON, and `keys` are its path in
/// the event.
export function filterable(keys, kind, text, words = text) {
  const suggestions = suggested(keys, kind, text);
  if (!suggestions.length) return element('span', { class: kind }, words);
  const keydown = (event) => {
    if (event.key !== 'Escape' || opened?.value !== value) return;
    event.stopPropagation();
    close();
    value.focus();
  };
  const toggle = () => {
    const isOpen = opened?.value === value;
    close();
    if (!isOpen) offer(value, keys, suggestions, keydown);
  };
  const value = element('button', {
    class: `value ${kind}`, type: 'button', 'aria-expanded': 'false', title: 'Filter by this value', click: toggle, keydown,
  }, words);
  return element('span', { class: 'filterable' }, value);
}

/// Shows the suggestions below the line of a value.
function offer(value, keys, suggestions, keydown) {
  const choices = suggestions.map(({ label, condition }) => button(label, () => {
    close();
    add(condition);
  }, { class: 'button small', title: condition.words }));
  const offers = element('span', { class: 'offers', role: 'group', 'aria-label': `Filter by ${keys.join('.')}`, keydown },
    element('span', { class: 'offers-path' }, keys.join('.')), ...choices);
  value.setAttribute('aria-expanded', 'true');
  (value.closest('.json-line') || value.parentNode).append(offers);
  opened = { value, offers };
}

// The chips

/// The chips of the conditions, and a form for a condition that is typed. `adding` opens the form; the bar has it unless it stands
/// elsewhere.
export class ConditionsBar {
  root = element('div', { class: 'condition-bar', role: 'group', 'aria-label': 'Conditions' });
  adding = button('+ Condition', () => this.open(), { class: 'chip add-condition' });

  constructor(hasAdding = true) {
    const conditions = conditionsHere();
    const chips = conditions.map((condition) => element('button', {
      class: 'chip of-event', type: 'button', 'aria-label': `Remove the condition: ${condition.words}`, title: condition.text,
      click: () => showConditions(conditions.filter((other) => other !== condition)),
    }, element('span', { class: 'condition-words' }, condition.words), element('span', { 'aria-hidden': 'true' }, ' ×')));
    this.root.append(...ConditionsBar.origin(conditions), ...chips, ...(conditions.length > 1 ? [button('Remove all', () => showConditions([]), { class: 'link' })] : []),
      ...ConditionsBar.rule(conditions), ...(hasAdding ? [this.adding] : []));
  }

  /// A link to a new filter rule with the conditions. There is none where a rule has no such conditions.
  static rule(conditions) {
    if (!formConditions(conditions)) return [];
    const source = Address.get('source');
    return [element('a', {
      class: 'link', href: `/filters${withConditions(source ? `?${new URLSearchParams({ source })}` : '', conditions)}`,
      title: 'Begins a filter rule for these events. You decide later whether it is deployed.',
    }, 'Make a filter')];
  }

  /// Says what the list has when the address is that of the events that a filter holds back.
  static origin(conditions) {
    const [filter, destination] = [Address.get('filter'), Address.get('destination')];
    if (!filter) return [];
    const which = conditions.length ? 'Stored events that meet the conditions with which' : 'All stored events:';
    return [element('p', { class: 'condition-origin' }, `${which} the filter “${filter}” holds events back${destination ? ` from ${destination}` : ''}. `
      + 'Events from before the filter was deployed and before the server started are among them, so there may be more than it counted. ',
    button('Close', () => showConditions(conditions), { class: 'link' }))];
  }

  /// Opens the form for an expression.
  open() {
    this.form?.remove();
    const input = textInput('', {
      class: 'condition-input', 'aria-label': 'A condition, such as properties.total>10', placeholder: 'properties.total>10', required: true,
    });
    const problem = element('span', { class: 'condition-problem', role: 'alert' });
    this.form = element('form', {
      class: 'condition-form', submit: (event) => {
        event.preventDefault();
        return this.submit(input, problem);
      },
      keydown: (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        this.closeForm();
      },
    }, input, element('button', { class: 'button small', type: 'submit' }, 'Add'),
    button('Cancel', () => this.closeForm(), { class: 'button small' }), problem);
    this.root.append(this.form);
    input.focus();
  }

  closeForm() {
    this.form.remove();
    this.adding.focus();
  }

  /// Lets the server judge the expression before it is used. No event has a number below 0, so the server looks at none.
  async submit(input, problem) {
    const condition = Condition.read(input.value);
    problem.textContent = '';
    try {
      await Workspace.text(`/api/events?limit=1&before=1${queryOf([...conditionsHere(), condition])}`);
    } catch (error) {
      problem.textContent = error.message;
      return;
    }
    add(condition);
  }
}
