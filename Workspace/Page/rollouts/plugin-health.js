// The devices' reports about the live plugins of a source.

import { drawing, element } from '../parts/elements.js';
import { note, part, table } from '../parts/parts.js';
import { count, instant, plural, span, textual } from '../parts/text.js';
import { percent, TrialReport } from './trial.js';

/// The sums of the health reports, as `/api/live-plugins/health` answers them.
export class PluginHealth {
  constructor(health) {
    this.health = health;
  }

  draw() {
    const versions = this.health.versions.filter((version) => version.reports);
    const missing = PluginHealth.missing(this.health.cover);
    if (!versions.length) {
      return part('On devices', [], note('No device has sent a health report in the last 24 hours. Clients send one when '
        + 'a live plugin has worked for ten minutes, and after a first fault.'), ...missing);
    }
    return part('On devices, in the last 24 hours', [],
      table(['Version', 'Reports', 'Events', 'With a fault', 'Dropped', 'Made', 'Time an event', 'By the hour'],
        versions.map((version) => PluginHealth.row(version)), { label: 'Versions on devices' }),
      ...this.faults(versions), ...this.apps(), note(this.delivery()), ...missing);
  }

  /// Notes about reports that a node's sums may lack.
  static missing({ since, isCurrent }) {
    const notes = [];
    const age = Date.now() - instant(since);
    if (age < 24 * 3_600_000) {
      notes.push(note(`This node has all reports of the last ${span(Math.max(0, age))}, and may lack earlier ones.`));
    }
    if (!isCurrent) notes.push(note('The newest reports may be missing: the log is behind or away.', 'failed'));
    return notes;
  }

  static row(version) {
    const events = version.events || 0;
    return [
      version.version === 'other' ? 'older ones' : `v${version.version}`, count(version.reports), count(events),
      PluginHealth.faulty(version.faulty, events), PluginHealth.share(version.dropped, events),
      count(version.made || 0), events ? TrialReport.time((version.microseconds || 0) / events) : '–',
      PluginHealth.bars(version.hours),
    ];
  }

  static share(part, events) {
    return part && events ? `${Number((part * 100 / events).toPrecision(2))} %` : '0 %';
  }

  /// The share of events with a fault. A share above 0 is marked.
  static faulty(part, events) {
    const text = PluginHealth.share(part, events);
    return part ? element('span', { class: 'verdict', 'data-outcome': 'failed' }, text) : text;
  }

  /// The events of each hour. Events with a fault are drawn in front.
  static bars(hours) {
    const highest = Math.max(1, ...hours.map((hour) => hour.events || 0));
    const bar = (value, index) => {
      const height = value ? Math.max(1, value * 20 / highest) : 0;
      return height ? `M${index * 6} 22v${(-height).toFixed(1)}h5v${height.toFixed(1)}z` : '';
    };
    const path = (name) => hours.map((hour, index) => bar(hour[name] || 0, index)).join('');
    const words = hours.map((hour) => `${hour.hour}: ${plural(hour.events || 0, 'event')}, `
      + `${plural(hour.faulty || 0, 'fault')}`).join('\n');
    return drawing('svg', { class: 'bars', viewBox: `0 0 ${hours.length * 6} 22`, width: hours.length * 6, height: 22,
      role: 'img', 'aria-label': 'Events by the hour' }, drawing('title', {}, words),
    drawing('path', { class: 'bar', d: path('events') }), drawing('path', { class: 'bar-fault', d: path('faulty') }));
  }

  faults(versions) {
    const rows = versions.flatMap((version) => version.faults.map((fault) => [
      `v${version.version}`, fault.plugin, fault.message, fault.line === undefined ? '' : `line ${fault.line}`,
      fault.event || '', count(fault.reports),
    ]));
    if (!rows.length) return [];
    return [element('h3', {}, 'First faults'), table(['Version', 'Plugin', 'Fault', 'Place', 'Event', 'Reports'], rows,
      { label: 'Faults on devices' })];
  }

  /// The permissions of scripts in each version of the app. Nothing while no version restricts them.
  apps() {
    const { versions, devices } = this.health.apps;
    if (versions.every(({ allows }) => allows === null)) return [];
    const rows = versions.map((app) => [app.version === null ? 'without a version' : textual(app.version),
      PluginHealth.allowed(app), count(app.devices), percent(app.devices, devices)]);
    return [element('h3', {}, 'What the app allows to scripts, in the last 7 days'),
      table(['App', 'Scripts may', 'Devices', 'Share'], rows, { label: 'What the app allows' })];
  }

  static allowed({ allows, isCut }) {
    if (allows === null) return 'do everything';
    return [...allows.map(textual), ...(isCut ? ['…'] : [])].join(', ') || 'do nothing';
  }

  delivery() {
    const { tracked, uploaded } = this.health.delivery;
    return `These devices tracked ${plural(tracked || 0, 'event')} and sent ${count(uploaded || 0)}. `
      + 'Anybody who has the write key can invent reports.';
  }
}
