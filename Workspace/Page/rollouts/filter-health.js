// The devices' reports about the filters of a source.

import { element } from '../parts/elements.js';
import { note, part, table } from '../parts/parts.js';
import { PluginHealth } from './plugin-health.js';
import { count } from '../parts/text.js';

/// The sums of the health reports, as `/api/live-plugins/health` answers them.
export class FilterHealth {
  constructor(health) {
    this.versions = health.filters;
    this.cover = health.cover;
  }

  draw() {
    const rows = this.versions.flatMap((version) => version.destinations.map((one) => [
      FilterHealth.title(version), version.percentage === null ? '–' : `${version.percentage} %`,
      one.name || '(others)', count(one.events || 0), count(one.changed || 0), count(one.dropped || 0),
      PluginHealth.share(one.dropped, one.events || 0), PluginHealth.faulty(one.faulty, one.events || 0),
    ]));
    const problems = this.versions.filter((version) => version.problems).map((version) => note(
      `Some devices cannot read a rule of version ${version.version}: they run an older client.`, 'failed'));
    return part('On devices, in the last 24 hours', [],
      table(['Version', 'Devices', 'Destination', 'Events', 'Changed', 'Dropped', 'Share dropped', 'With a fault'], rows,
        { label: 'Filters on devices' }),
      ...problems, ...this.faults(),
      note('An event counts once for each destination that a rule names. Anybody who has the write key can invent reports.'),
      ...PluginHealth.missing(this.cover));
  }

  static title(version) {
    if (version.version === '0') return 'no rules';
    return version.version === 'other' ? 'older ones' : `v${version.version}`;
  }

  faults() {
    const rows = this.versions.flatMap((version) => version.faults.map((fault) => [
      FilterHealth.title(version), fault.destination, fault.message, fault.event || '', count(fault.reports),
    ]));
    if (!rows.length) return [];
    return [element('h3', {}, 'First faults'),
      table(['Version', 'Destination', 'Fault', 'Event', 'Reports'], rows, { label: 'Faults of rules' })];
  }
}
