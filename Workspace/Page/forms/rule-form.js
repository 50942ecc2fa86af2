// The form of one filter rule.

import { element } from '../parts/elements.js';
import { readJSON } from '../api/json.js';
import { button, choice, field, note, textInput } from '../parts/parts.js';
import { Actions, Comparisons, conditionsOfExpression, expressionOf, isComplete, needsNoValue, newCondition } from './rules.js';

/// Shows a form and changes it. `changed` is called after each change; `redraw` when parts appear or go.
export class RuleForm {
  constructor(form, { destinations, changed, redraw, disabled }) {
    Object.assign(this, { form, destinations, changed, redraw, disabled });
  }

  draw() {
    const { form } = this;
    const parts = [
      element('div', { class: 'fields' },
        field('Destination', this.text('destination', 'Destination', { list: 'destinations', required: true })),
        field('Name', this.text('name', 'Name of the rule'))),
      element('div', { class: 'conditions' }, ...this.conditions()), this.expression(),
      element('div', { class: 'fields' }, field('Then', this.choice('action', Actions, 'Action')), ...this.details()),
    ];
    if (form.action === 'sample_event') parts.push(note('With a path, all events with the same value there are treated alike.'));
    return parts;
  }

  text(member, label, attributes = {}) {
    return textInput(this.form[member], {
      'aria-label': label, disabled: this.disabled, ...attributes, input: (event) => {
        this.form[member] = event.target.value;
        this.changed();
      },
    });
  }

  choice(member, values, label) {
    return choice(values, this.form[member], {
      'aria-label': label, disabled: this.disabled, change: (event) => {
        this.form[member] = event.target.value;
        this.redraw();
      },
    });
  }

  conditions() {
    const { conditions } = this.form;
    const add = this.disabled ? undefined : button('Add a condition', () => {
      conditions.push(newCondition());
      this.redraw();
    }, { class: 'button small' });
    const head = element('div', { class: 'actions' }, 'For', this.choice('join', [
      ['and', 'events for which all conditions hold'], ['or', 'events for which a condition holds'], ['every', 'every event'],
    ], 'Events'));
    this.verdict = element('p', { class: 'note', role: 'status' });
    this.judge();
    const shown = this.form.join === 'every' ? [] : [...conditions.map((condition, index) => this.condition(condition, index)), add];
    return [head, ...shown, this.verdict].filter(Boolean);
  }

  /// Says what is missing, or that a rule is for every event.
  judge() {
    const { form } = this;
    const [text, outcome] = !isComplete(form)
      ? ['This rule cannot be deployed: it does not say yet which events it is for. Fill in the condition, or choose “every event”.', 'failed']
      : form.join === 'every' && form.action === 'drop' ? [`${form.destination || 'The destination'} gets no event at all.`, 'changed'] : ['', ''];
    this.verdict.textContent = text;
    this.verdict.dataset.outcome = outcome;
    this.verdict.hidden = !text;
  }

  condition(condition, index) {
    const input = (member, label, attributes) => textInput(condition[member], {
      'aria-label': label, disabled: this.disabled, ...attributes, input: (event) => {
        condition[member] = event.target.value;
        this.fql.value = JSON.stringify(expressionOf(this.form));
        this.judge();
        this.changed();
      },
    });
    const comparison = choice(Comparisons, condition.comparison, {
      'aria-label': 'Comparison', disabled: this.disabled, change: (event) => {
        condition.comparison = event.target.value;
        this.redraw();
      },
    });
    const remove = this.disabled ? undefined : button('Remove', () => {
      this.form.conditions.splice(index, 1);
      this.redraw();
    }, { class: 'button small', 'aria-label': `Remove the condition on ${condition.path}` });
    return element('div', { class: 'condition' },
      input('path', 'Place in the event', { list: 'paths', placeholder: 'properties.total' }), comparison,
      needsNoValue(condition.comparison) ? undefined : input('value', 'Value'), remove);
  }

  /// The conditions as FQL. Editing the text changes the conditions, as far as the form can show them.
  expression() {
    const expression = expressionOf(this.form);
    const problem = element('p', { class: 'help', role: 'status' });
    const input = textInput(expression ? JSON.stringify(expression) : '', {
      'aria-label': 'Conditions as FQL', class: 'fql', disabled: this.disabled, placeholder: '["=", "event", {"value": "…"}]',
      change: () => {
        try {
          const found = input.value.trim() ? conditionsOfExpression(readJSON(input.value)) : { join: 'and', conditions: [newCondition()] };
          if (!found) throw new Error('The form cannot show this expression. Write it into the JSON of the rule.');
          Object.assign(this.form, found);
          this.redraw();
        } catch (error) {
          problem.textContent = error.message;
        }
      },
    });
    this.fql = input;
    return element('details', { class: 'by-day' }, element('summary', {}, 'As FQL'), input, problem);
  }

  details() {
    switch (this.form.action) {
      case 'drop_properties': case 'allow_properties':
        return [field('Properties', this.text('properties', 'Properties', { placeholder: 'card, email' }),
          'Names, with commas between them.')];
      case 'sample_event':
        return [field('Share in %', this.text('share', 'Share', { inputmode: 'decimal' })),
          field('Decided by', this.text('by', 'Path', { list: 'paths', placeholder: 'by chance' }))];
      default: return [];
    }
  }
}
