// Facts about a destination of the server, with numbers and times, worst first.

import { withConditions } from '../api/conditions.js';
import { listConditions } from '../forms/rules.js';
import { TimeTable } from '../parts/details.js';
import { Limits } from '../api/limits.js';
import { count, instant, plural, sentence } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const at = (text) => TimeTable.short(instant(text));

/// Facts, each `{outcome, text, rule, isOfFilters, events}`: the outcome is "failed", "changed", "unknown" or "delivered", `rule` is the
/// name of the filter rule that it is about, `isOfFilters` says that filters explain it, and `events` is the query of a list of such events.
export class DestinationFacts {
  /// `letter` is the oldest dead letter, and `rules` are the deployed filter rules, as far as they are needed.
  constructor(destination, letter, rules = []) {
    Object.assign(this, { destination, letter, rules });
  }

  /// Reads what the summary of a destination does not have.
  static async of(destination, writeKey) {
    let letter;
    let rules;
    if (destination.deadLetters) {
      const path = `${Workspace.source(writeKey, 'destinations')}/${encodeURIComponent(destination.name)}/dead-letters?limit=1`;
      [letter] = (await Workspace.json(path)).deadLetters;
    }
    if (destination.heldBackBy.length) rules = await Workspace.json(Workspace.source(writeKey, 'filters'));
    return new DestinationFacts(destination, letter, rules);
  }

  get all() {
    return [...this.trouble(), ...this.refused(), ...this.late(), ...this.heldBack(), ...this.delivered()];
  }

  trouble() {
    const { state, reason, retryAt, waiting, waitingSince } = this.destination;
    const waits = waiting ? ` ${plural(waiting, 'event')} ${waiting === 1 ? 'waits' : 'wait'}`
      + `${waitingSince ? `, the first since ${at(waitingSince)}` : ''}.` : '';
    if (state === 'off') return [{ outcome: 'changed', text: `Paused: it gets nothing until it is resumed.${waits}` }];
    if (state !== 'waiting') return [];
    const again = retryAt ? ` It tries again ${at(retryAt)}.` : '';
    return [{ outcome: 'failed', text: `Trouble: ${sentence(reason)}${waits}${again}` }];
  }

  refused() {
    const { deadLetters } = this.destination;
    if (!deadLetters) return [];
    const first = this.letter ? `, the first of them ${at(this.letter.at)}: ${this.letter.reason || 'no reason was given'}` : '';
    return [{ outcome: 'failed', text: sentence(`${count(deadLetters)} refused for good${first}`) }];
  }

  late() {
    const { retrying, state } = this.destination;
    if (!retrying || state === 'waiting') return [];
    return [{ outcome: 'changed', text: `${plural(retrying, 'event')} ${retrying === 1 ? 'was' : 'were'} not taken and will be tried again.` }];
  }

  heldBack() {
    const { heldBackBy, skipped, delivered } = this.destination;
    const facts = heldBackBy.slice(0, Limits.shownRules).map((one) => this.heldBackByRule(one));
    const others = skipped - heldBackBy.reduce((sum, { events }) => sum + events, 0);
    if (others > 0) {
      facts.push({ outcome: delivered ? 'unknown' : 'changed', isOfFilters: true, text: `${count(others)} left out since the destination `
        + 'was made: they name other destinations, or a filter held them back before the server started.' });
    }
    return facts;
  }

  /// The fact about one rule. It is not among the problems when the rule is not deployed any more.
  heldBackByRule({ rule, events }) {
    const words = `${count(events)} held back by the filter “${rule}”`;
    return this.deployed(rule) ? { outcome: 'changed', isOfFilters: true, rule, events: this.eventsOf(rule), text: `${words} since the server started.` }
      : { outcome: 'unknown', isOfFilters: true, text: `${words}, which is not deployed any more.` };
  }

  /// The deployed rule of a name. A rule without a name has its number there.
  deployed(name) {
    return this.rules.find((one, index) => (one.name ?? `rule ${index}`) === name && one.destinationName === this.destination.name);
  }

  /// The part of the address of a list, from the question mark on, with the events that meet the conditions of a rule; nothing when no
  /// list has them.
  eventsOf(name) {
    const rule = this.deployed(name);
    const conditions = rule && listConditions(rule);
    return conditions && withConditions(`?${new URLSearchParams({ filter: name, destination: this.destination.name })}`, conditions);
  }

  delivered() {
    const { delivered, lastDeliveredAt, caughtUp, kind, waiting, state, deadLetters, heldBackBy } = this.destination;
    if (state !== 'delivering') return delivered ? [] : [{ outcome: 'unknown', text: 'Nothing is delivered yet.' }];
    if (kind === 's3' && waiting) {
      return [{ outcome: 'unknown', text: 'Events wait until their hour is over, or until there are enough for an object.' }];
    }
    if (!delivered) return [{ outcome: 'unknown', text: 'Nothing is delivered yet.' }];
    if (!caughtUp || waiting) return [{ outcome: 'unknown', text: `Delivering, ${plural(waiting, 'event')} to go.` }];
    const others = deadLetters || heldBackBy.length ? 'Everything else' : 'Everything';
    return [{ outcome: 'delivered', text: `${others} is delivered, the last event ${at(lastDeliveredAt)}.` }];
  }
}
