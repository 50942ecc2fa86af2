// The effect that rules would have had on stored events.

import { code, element } from '../parts/elements.js';
import { note } from '../parts/parts.js';
import { titleOfRule } from '../forms/rules.js';
import { count, plural } from '../parts/text.js';

/// The result of a dry run, as `filters/dry-run` answers it.
export class DryRunReport {
  constructor(answer) {
    this.answer = answer;
  }

  draw() {
    const { answer } = this;
    const problems = answer.problems.map((problem) => note(problem.text, 'failed'));
    const lines = answer.destinations.map((entry) => element('p', {}, element('strong', {}, entry.destination),
      `: would drop ${count(entry.dropped)} and change ${count(entry.changed)} of the last `
        + `${plural(answer.events, 'event')}`));
    if (!lines.length) lines.push(note('No rule names a destination.'));
    if (!answer.complete) lines.push(note('The time was over before all events had been tried.'));
    return [...problems, ...lines, ...DryRunReport.table(answer.rules), ...answer.examples.map((one) => this.example(one))];
  }

  title(number) {
    return titleOfRule(this.answer.rules.find(({ rule }) => rule === number)?.name, number);
  }

  static table(rules) {
    if (!rules.length) return [];
    const head = element('tr', {}, ...['Rule', 'Destination', 'Drops', 'Changes', 'Leaves']
      .map((name) => element('th', { scope: 'col' }, name)));
    const rows = rules.map((rule) => element('tr', {}, ...[
      titleOfRule(rule.name, rule.rule), rule.destination, count(rule.dropped), count(rule.changed),
      count(rule.untouched),
    ].map((text) => element('td', {}, String(text)))));
    return [element('table', { class: 'versions' }, head, ...rows)];
  }

  example(example) {
    const event = example.before;
    const name = event.event || event.name || event.type || 'event';
    const what = example.after ? 'changed' : 'dropped';
    const by = `${what} for ${example.destination} by ${example.rules.map((number) => this.title(number)).join(', ')}`;
    const text = (value, label) => code(JSON.stringify(value, undefined, 2), label);
    return element('details', { class: 'example' },
      element('summary', {}, element('strong', {}, String(name)), ` ${by}`),
      element('h4', {}, 'Before'), text(event, 'Event before'),
      ...(example.after ? [element('h4', {}, 'After'), text(example.after, 'Event after')] : []));
  }
}
