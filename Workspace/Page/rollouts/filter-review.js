// Compares rules with the deployed rules, by their effect on stored events.

import { drawDiff } from '../parts/diff.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { note, table } from '../parts/parts.js';
import { count, plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// The text of rules, as the editor shows it.
export const textOfRules = (rules) => JSON.stringify(rules, undefined, 2);

/// Whether a rule certainly keeps every event from its destination.
const holdsBackAll = (rule) => rule?.matchers?.every((matcher) => matcher?.type === 'all')
  && rule.transformers?.some((list) => list?.some?.((transformer) => transformer?.type === 'drop'));

/// A review for the question before rules are deployed.
export class FilterReview {
  /// `path` is that of the dry run; `deployed` and `rules` are the rules that run now and those to be deployed.
  constructor(path, deployed, rules) {
    Object.assign(this, { path, deployed, rules });
  }

  async look(signal) {
    // One after the other, because the server does one dry run at a time.
    const now = this.deployed.length ? await this.try(this.deployed, signal) : { destinations: [] };
    const then = await this.try(this.rules, signal);
    const rows = FilterReview.rows(now, then);
    const errors = [...then.problems, ...then.findings.filter((finding) => finding.severity === 'error')];
    const warnings = then.findings.filter((finding) => finding.severity !== 'error');
    return {
      isBlocked: errors.length > 0,
      words: this.words(rows, then.events),
      content: [
        ...errors.map((problem) => note(problem.text, 'failed')), ...warnings.map((finding) => note(finding.text, 'changed')),
        ...FilterReview.figures(rows, then),
        element('h3', {}, 'Difference to the rules that run now'), drawDiff(textOfRules(this.deployed), textOfRules(this.rules)),
      ],
    };
  }

  try(rules, signal) {
    return Workspace.answer(`${this.path}?last=${Limits.deployEvents}`, JSON.stringify(rules), 'POST', 'application/json', signal);
  }

  /// A row for each destination that rules name now or then, with the events that they hold back and change.
  static rows(now, then) {
    const names = [...new Set([...then.destinations, ...now.destinations].map((one) => one.destination))];
    const of = (answer, name) => answer.destinations.find((one) => one.destination === name) || { dropped: 0, changed: 0 };
    return names.map((name) => ({ name, now: of(now, name), then: of(then, name) }));
  }

  /// The destinations of which the reader types the name: more than half of the events would be held back, and more than now.
  words(rows, events) {
    if (!events) {
      const known = new Set(this.deployed.filter(holdsBackAll).map((rule) => rule.destinationName));
      const names = this.rules.filter(holdsBackAll).map((rule) => rule.destinationName);
      return [...new Set(names)].filter((name) => name && !known.has(name));
    }
    return rows.filter(({ now, then }) => then.dropped > events * Limits.mostHeldBack && then.dropped > now.dropped)
      .map(({ name }) => name);
  }

  static figures(rows, { events, complete }) {
    if (!events) return [note('No event of this source is stored, so nothing can be counted before.', 'changed')];
    if (!rows.length) return [note('No rule names a destination, so every destination gets every event.')];
    const share = (number) => `${count(number)} (${Math.round((100 * number) / events)} %)`;
    const cells = ({ name, now, then }) => {
      const more = then.dropped > now.dropped ? { class: 'verdict', 'data-outcome': 'dropped' } : {};
      return [name, share(now.dropped), element('span', more, share(then.dropped)), share(then.changed)];
    };
    const late = complete ? [] : [note('The time was over before all events had been tried.', 'changed')];
    return [note(`Of the newest ${plural(events, 'stored event')} of this source:`),
      table(['Destination', 'Held back now', 'Held back then', 'Changed then'], rows.map(cells),
        { label: 'What the rules would do' }), ...late];
  }
}
