// A version of live plugins that devices run beside the version before, and their differences.

import { element } from '../parts/elements.js';
import { button, note, table } from '../parts/parts.js';
import { count, plural, textual } from '../parts/text.js';
import { PluginHealth } from './plugin-health.js';
import { TrialReport } from './trial.js';
import { Workspace } from '../api/workspace.js';

const Kinds = { changed: 'has another', dropped: 'vanishes', made: 'comes' };

/// The reports about a shadow, and its roll-out.
export class Shadow {
  constructor(health, rollout) {
    this.rollout = rollout;
    this.report = health.shadows.find((shadow) => shadow.version === String(rollout.version));
  }

  /// `act` carries out a change and draws everything again.
  draw(deploys, act, writeKey) {
    const share = note(`${this.rollout.plan.shadow} % of devices run it as a shadow, beside version ${this.rollout.previous}. `
      + 'It touches no event: its outcome is compared and thrown away.');
    if (!this.report) return [share, note('No device has reported about the shadow yet.')];
    const { events = 0, faulty, microseconds = 0, reports, differences } = this.report;
    const open = differences.filter((difference) => !difference.isAnnounced && difference.difference !== 'more');
    const announce = deploys && open.length ? [element('div', { class: 'actions' },
      button(`Announce ${open.length === 1 ? 'this difference' : `these ${open.length} differences`}`, (event) => act(event.target, async () => {
        const announced = [...this.rollout.announced, ...open.map(({ difference }) => difference)];
        await Workspace.send('PUT', Workspace.source(writeKey, 'live-plugins/rollout/announced'), { announced });
        return 'The differences are announced.';
      }), { id: 'announce' }))] : [];
    return [share,
      note(`${plural(reports || 0, 'report')} in the last 24 hours: ${plural(events, 'event')} compared, `
        + `${PluginHealth.share(faulty, events)} with a fault, ${TrialReport.time(events ? microseconds / events : 0)} an event.`),
      ...(differences.length ? [Shadow.table(differences, events)] : [note('No event differs.', events ? 'delivered' : 'unknown')]),
      ...announce, ...(deploys && differences.some(({ difference, isAnnounced }) => difference === 'more' && !isAnnounced)
        ? [note('Further differences have no counts of their own. `tributary plugin rollout announce "*"` announces all.')] : [])];
  }

  static table(differences, events) {
    const rows = differences.map(({ difference, events: differing, isAnnounced }) => [
      Shadow.words(difference), count(differing), PluginHealth.share(differing, events),
      element('span', { class: 'verdict', 'data-outcome': isAnnounced ? 'delivered' : 'changed' },
        isAnnounced ? 'announced' : 'not announced'),
    ]);
    return table(['Difference', 'Events', 'Share', ''], rows, { label: 'Differences of the shadow' });
  }

  /// `changed:Checkout:properties.total` in words.
  static words(difference) {
    const [kind, ...rest] = difference.split(':');
    if (!Kinds[kind]) return 'further differences';
    if (kind !== 'changed') return `${textual(rest.join(':'))} ${Kinds[kind]}`;
    return `${textual(rest.slice(0, -1).join(':'))} ${Kinds[kind]} ${textual(rest.at(-1))}`;
  }
}
