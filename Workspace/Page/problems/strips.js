// The last 24 hours of each source in half hours, devices by version, and when the disk is full.

import { bars } from '../charts/chart.js';
import { element } from '../parts/elements.js';
import { note, part, table } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { clock, count, instant, plural, size, span } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const shown = 3; // sources that are not folded up
const longWait = 5 * 60_000; // milliseconds

const sum = (values) => values.reduce((all, one) => all + one, 0);

export class Strips {
  /// Reads the counts; nothing in a cluster, which does not have them.
  static async read(query) {
    try {
      return new Strips(await Workspace.json(`/api/overview?${query}`));
    } catch (error) {
      if (error.status !== 501) throw error;
      return undefined;
    }
  }

  constructor(overview) {
    this.overview = overview;
    const since = instant(overview.since);
    const first = overview.sources[0]?.accepted.length || 0;
    this.times = Array.from({ length: first }, (_, index) => clock(since + index * overview.minutes * 60_000).slice(0, 5));
  }

  draw() {
    // The sources with trouble come first, and many sources do not hide the parts below.
    const trouble = ({ rejected, destinations }) => sum(rejected) + destinations.reduce((all, { refused, lag }) => all + sum(refused) + (Math.max(0, ...lag) >= longWait), 0);
    const sources = [...this.overview.sources].sort((one, other) => trouble(other) - trouble(one) || sum(other.accepted) - sum(one.accepted));
    const others = sources.slice(shown);
    return part('Last 24 hours', [], note(`Each bar is ${plural(this.overview.minutes, 'minute')}, in your time. `
      + 'Red bars are events that were rejected or refused. In a row with “waited”, a bar is the longest wait.'),
    ...sources.slice(0, shown).map((source) => this.source(source)),
    others.length ? element('details', { class: 'by-day' }, element('summary', {}, plural(others.length, 'other source')),
      ...others.map((source) => this.source(source))) : undefined);
  }

  source(source) {
    const title = source.name || source.writeKey;
    return element('section', { class: 'strips', 'aria-label': `Last 24 hours of ${title}` },
      element('h3', {}, element('a', { href: Address.of('/', source.writeKey) }, title)),
      this.strip('Accepted', source.accepted), this.strip('Rejected', source.rejected, 'failed'),
      this.strip('Dropped on devices', source.dropped, 'changed'),
      ...source.destinations.flatMap((destination) => this.destination(destination, source.writeKey)));
  }

  destination(destination, writeKey) {
    const { name, isEnabled, delivered, refused, lag } = destination;
    // Each row has a link of its own.
    const link = () => element('a', { href: Address.ofDestination(name, writeKey) }, name);
    const longest = Math.max(0, ...lag);
    return [
      this.strip('Delivered', delivered, undefined, [link(), isEnabled ? ': delivered' : ': delivered (paused)'], name),
      ...(sum(refused) ? [this.strip('Refused', refused, 'failed', [link(), ': refused'], name)] : []),
      this.strip('Waited at most', lag, longest >= longWait ? 'failed' : 'changed', [link(), ': waited'], name, longest ? span(longest) : 'none seen'),
    ];
  }

  /// A row: what it counts, the bars, and the sum or the longest wait.
  strip(label, values, outcome = undefined, words = [label], scope = '', total = count(sum(values))) {
    const title = scope ? `${scope}: ${label.toLowerCase()}` : label;
    const chart = bars(values, this.times, 'at');
    chart.setAttribute('aria-label', `${title}: ${total}. ${chart.getAttribute('aria-label')}`);
    return element('div', { class: 'strip', 'data-outcome': sum(values) ? outcome : undefined },
      element('span', { class: 'strip-name' }, ...words), chart, element('span', { class: 'strip-total' }, total));
  }

  /// When the disk is full, in words; nothing when that is not known.
  get disk() {
    const { disk } = this.overview;
    if (!disk?.bytesPerDay) return undefined;
    const words = `A day of events took ${size(disk.bytesPerDay)} lately.`;
    if (!disk.fullOn) return note(`${words} The disk does not get full like that.`, 'delivered');
    const days = Math.round((Date.parse(disk.fullOn) - Date.now()) / 86_400_000);
    return note(`${words} The disk is full on ${disk.fullOn} (UTC), in ${plural(Math.max(0, days), 'day')}, when days go on like that.`,
      days < 14 ? 'failed' : undefined);
  }

  /// The versions of live plugins that devices reported; nothing when none did.
  static versions(answers) {
    const rows = answers.flatMap(({ source, health }) => {
      const reported = health.versions.filter((version) => version.reports);
      const all = sum(reported.map((version) => version.reports));
      return reported.map((version) => [
        element('a', { href: Address.of('/live-plugins', source.writeKey) }, source.name || source.writeKey),
        version.version === 'other' ? 'older ones' : `v${version.version}`, version.percentage === null ? '' : `${version.percentage} %`,
        count(version.reports), `${Math.round((version.reports * 100) / all)} %`,
      ]);
    });
    return rows.length ? part('Devices by version', [], table(['Source', 'Live plugins', 'Meant for', 'Reports, 24 hours', 'Share'], rows,
      { label: 'Versions on devices' })) : undefined;
  }
}
