// The problems of all sources. Each row leads to the place where a person mends it.

import { DestinationFacts } from './destination-facts.js';
import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { note } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { count, instant, plural, sentence, size } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// The wrong part of a refused request, by its kind.
export const Wrong = { unknownKey: 'the key', unreadableBody: 'the body', wrongPath: 'the path', plainHTTP: 'http instead of https' };

const at = (text) => TimeTable.short(instant(text));
const titleOf = (source) => source.name || source.writeKey;

/// Problems: `{outcome, scope, text, href, time}`. The outcome is "failed" for what loses or holds up events now, and
/// "changed" for what a person should know.
export class ProblemList {
  found = [];

  add(outcome, scope, text, href, time = undefined) {
    this.found.push({ outcome, scope, text, href, time: time ? instant(time) : 0 });
  }

  /// Takes the alert rules that fire.
  alerts(rules) {
    for (const rule of rules) {
      this.add('failed', `Alert ${rule.name}`, `Since ${at(rule.since)}: ${rule.text || 'not looked at yet'}.`, ProblemList.placeOf(rule), rule.since);
    }
  }

  /// The address of the events or the destination that an alert rule watches.
  static placeOf({ kind, writeKey, event, destination }) {
    switch (kind) {
      case 'silence': return `/?${new URLSearchParams({ source: writeKey, type: 'track', name: event })}`;
      case 'rejected': return '#rejected';
      case 'lag': case 'deadLetters': return Address.ofDestination(destination, writeKey);
      case 'plan': return `/plan?${new URLSearchParams({ source: writeKey, ...(event ? { type: 'track', name: event } : {}) })}`;
      case 'loss': return `/live-plugins?${new URLSearchParams({ source: writeKey })}#ledger`;
      case 'disk': return '#server';
      default: return '#alerts';
    }
  }

  /// Takes the state of the server.
  server(server) {
    const add = (outcome, text, href = '#server') => this.add(outcome, 'Server', text, href);
    if (server.status !== 'ready') add('failed', `It takes no events now: ${server.status}. Apps keep their events.`);
    const { freeBytes, sizeBytes } = server.disk;
    if (freeBytes / sizeBytes < Limits.freeShare) add('failed', `The disk has ${size(freeBytes)} of ${size(sizeBytes)} left now.`);
    if (server.missingDays.length) add('failed', `The events of ${plural(server.missingDays.length, 'day')} are missing.`);
    if (server.unreadableFiles) add('failed', `${plural(server.unreadableFiles, 'file')} cannot be read and ${server.unreadableFiles === 1 ? 'was' : 'were'} set aside.`);
    if (server.endangeredDays) add('changed', `On ${server.endangeredDays.from} (UTC) ${plural(server.endangeredDays.days, 'day')} of events will be deleted.`);
    if (server.countries?.problem) add('changed', `The new database of countries cannot be used: ${server.countries.problem}.`);
    this.refused(server.refused);
  }

  refused({ requests, others }) {
    if (!requests.length) return;
    const number = requests.reduce((sum, one) => sum + one.count, others);
    const [last] = requests;
    this.add('changed', 'Server', `${plural(number, 'request')} of clients ${number === 1 ? 'was' : 'were'} refused since it started, the last ${at(last.lastAt)}: `
      + `${Wrong[last.kind] || last.kind} was wrong.`, '#refused', last.lastAt);
  }

  quotas(quotas, sources) {
    for (const quota of quotas.filter((one) => one.refusedRequests)) {
      const source = sources.find((one) => one.writeKey === quota.writeKey);
      if (source) {
        this.add('failed', titleOf(source), `${plural(quota.refusedRequests, 'request')} beyond the quota ${quota.refusedRequests === 1 ? 'was' : 'were'} `
          + 'refused today (UTC).', Address.of('/sources', source.writeKey));
      }
    }
  }

  /// Takes the answer of `readSource`.
  source({ source, facts, health, error }) {
    const { writeKey } = source;
    if (error) {
      this.add('failed', titleOf(source), `It could not be looked at: ${error.message}.`, Address.of('/destinations', writeKey));
      return;
    }
    for (const { destination, all } of facts) {
      for (const { outcome, text, isOfFilters, rule } of all) {
        if (outcome !== 'failed' && outcome !== 'changed') continue;
        const filters = rule ? Address.ofRule(rule, writeKey) : Address.of('/filters', writeKey);
        this.add(outcome, `${titleOf(source)} → ${destination.name}`, text,
          isOfFilters ? filters : Address.ofDestination(destination.name, writeKey), destination.waitingSince);
      }
    }
    this.devices(source, health);
  }

  devices(source, health) {
    const add = (outcome, text, place = '/live-plugins') => this.add(outcome, titleOf(source), text, Address.of(place, source.writeKey));
    for (const version of health.versions.filter((one) => one.percentage && one.faults.length)) {
      const [fault] = version.faults;
      add('failed', `Live plugins v${version.version} failed on devices in the last 24 hours: ${fault.plugin}: ${fault.message} `
        + `(${plural(fault.reports, 'report')}${version.faults.length > 1 ? `, and ${plural(version.faults.length - 1, 'other fault')}` : ''}).`);
    }
    const lost = Object.entries(health.delivery.lost);
    if (lost.length) {
      add('failed', `Devices lost events in the last 24 hours: ${lost.map(([reason, number]) => `${count(number)} ${reason}`).join(', ')}.`);
    }
    const { withoutSettings } = health.delivery;
    if (withoutSettings) add('changed', `${plural(withoutSettings, 'event')} of new devices went without filters and plan in the last 24 hours.`);
  }

  /// Takes the newest rejected events.
  rejected(records, isMore, sources) {
    for (const source of sources) {
      const own = records.filter((record) => record.writeKey === source.writeKey);
      if (!own.length) continue;
      const since = `since ${at(own.at(-1).receivedAt)}, the last ${at(own[0].receivedAt)}: ${own[0].reason}`;
      this.add('failed', titleOf(source), `${isMore ? 'At least ' : ''}${plural(own.length, 'event')} ${own.length === 1 ? 'was' : 'were'} `
        + `rejected ${sentence(since)}`, '#rejected', own[0].receivedAt);
    }
  }

  draw() {
    if (!this.found.length) return note('Nothing needs attention.', 'delivered');
    const rank = { failed: 0, changed: 1 };
    const sorted = [...this.found].sort((one, other) => rank[one.outcome] - rank[other.outcome] || other.time - one.time);
    return element('ol', { class: 'problems', id: 'problems' }, ...sorted.map(({ outcome, scope, text, href }) => element('li', {},
      element('a', { href, 'data-outcome': outcome }, element('strong', {}, scope), element('span', {}, text)))));
  }
}

/// Reads the destinations and the reports of devices of a source. An error is part of the answer, because the other sources
/// are shown all the same.
export async function readSource(source) {
  try {
    const [{ destinations }, health] = await Promise.all([
      Workspace.json(Workspace.source(source.writeKey, 'destinations')),
      Workspace.json(`/api/live-plugins/health?writeKey=${encodeURIComponent(source.writeKey)}`),
    ]);
    const facts = await Promise.all(destinations.map((one) => DestinationFacts.of(one, source.writeKey)));
    return { source, facts, health };
  } catch (error) {
    return { source, error };
  }
}
