// The panel, which shows one event or the deployment.

import { JSONTree, StepList, TimeTable } from '../parts/details.js';
import { copyButton, element, section } from '../parts/elements.js';
import { isScalar, member, pretty, scalar, textOf } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { filterable } from '../parts/conditions-bar.js';
import { note } from '../parts/parts.js';
import { Path, PathPicture } from './path.js';
import { Ways } from './ways.js';
import { Address } from '../places/places.js';

/// The side of the page with all details of one event, or of the deployment.
export class Panel {
  constructor(root, closed) {
    this.root = root;
    this.closed = closed;
  }

  get isOpen() {
    return !this.root.hidden;
  }

  close() {
    if (!this.isOpen) return;
    this.item = undefined;
    this.root.hidden = true;
    this.root.replaceChildren();
    document.body.classList.remove('with-panel');
    this.closed();
  }

  /// Makes the panel visible, which gives it a width.
  reveal() {
    this.root.hidden = false;
    document.body.classList.add('with-panel');
  }

  open(heading, ...sections) {
    this.reveal();
    const close = element('button', {
      class: 'button small close', type: 'button', 'aria-keyshortcuts': 'Escape', click: () => this.close(),
    }, 'Close');
    const body = element('div', { class: 'panel-body', tabindex: '0', role: 'region', 'aria-label': 'Details' },
      ...sections);
    this.root.replaceChildren(element('div', { class: 'panel-head' }, heading, close), body);
    if (getComputedStyle(this.root).position === 'fixed') close.focus();
  }

  /// Shows an event; again only when something about it changed.
  show(item) {
    if (this.item === item && this.revision === item.revision) return;
    const kept = this.item === item ? this.root.querySelector('.panel-body')?.scrollTop : 0;
    this.item = item;
    this.revision = item.revision;
    this.reveal();
    const label = element('span', { class: 'label', 'data-type': item.type }, item.type);
    const title = element('h2', {}, label, ` ${item.name || item.hint}`);
    const link = item.kind === 'event'
      ? copyButton(() => new URL(Address.ofEvent(item.messageId), location.origin).href, 'Copy link') : undefined;
    this.open(element('div', {}, title, Panel.identity(item)), ...this.sections(item));
    if (link) this.root.querySelector('.close').before(link);
    if (kept) this.root.querySelector('.panel-body').scrollTop = kept;
  }

  static identity(item) {
    if (item.kind === 'signal') {
      const from = [item.anonymousId && `anonymous ${item.anonymousId}`, item.messageId && `number ${item.messageId}`];
      return element('p', { class: 'identity' }, ...from.filter(Boolean).map((part) => element('span', {}, part)));
    }
    const person = (word, id, name) => id && element('a', {
      href: `/people?${new URLSearchParams({ source: item.writeKey, [name]: id })}`, title: 'Show the timeline',
    }, `${word} ${id}`);
    const parts = [person('user', item.userId, 'user'), person('anonymous', item.anonymousId, 'anonymous'),
      `message ${item.messageId}`, Number.isInteger(item.madeOf) && `made of signal ${item.madeOf}`];
    return element('p', { class: 'identity' }, ...parts.filter(Boolean).map((part) => element('span', {}, part)));
  }

  sections(item) {
    let path;
    try {
      path = new Path(item);
    } catch (error) {
      const raw = item.raw || item.traceRaw || '';
      return [section('JSON', element('p', { class: 'note' }, `Shown as text: ${error.message}.`),
        element('pre', { class: 'raw' }, raw))];
    }
    const width = Math.max(320, Math.min(620, this.root.clientWidth) - 32);
    const body = path.body;
    if (path.isSignal) {
      return [section('Signal as received', new JSONTree(body).draw(), copyButton(() => pretty(body), 'Copy JSON'))];
    }
    return [
      section('Path', Panel.verdict(item, path), new PathPicture(path, width).draw(), StepList.draw(path)),
      path.stored ? section('Destinations of the workspace', Panel.ways(item.messageId)) : undefined,
      path.stored ? section('Tracking plan', Panel.plan(item)) : undefined,
      path.stored ? section('Times', TimeTable.draw(path)) : undefined,
      body ? section(path.stored ? 'Event as received' : 'Trace as received',
        path.stored ? Panel.filters(body) : undefined, new JSONTree(body, Limits.openDepth, path.stored).draw(),
        copyButton(() => pretty(body), 'Copy JSON')) : undefined,
    ].filter(Boolean);
  }

  /// The values by which events are mostly filtered.
  static filters(body) {
    const values = [['type'], ['event'], ['name'], ['userId'], ['anonymousId'], ['context', 'app', 'version']]
      .map((keys) => [keys, member(body, ...keys)]).filter(([, node]) => node && isScalar(node));
    return element('div', { class: 'filter-by' }, element('span', { class: 'help' }, 'Filter by'),
      ...values.map(([keys, node]) => filterable(keys, node.kind, scalar(node), textOf(node) ?? scalar(node))));
  }

  /// Which destinations got the event. A destination that cannot be read shows the reason.
  static ways(messageId) {
    const place = element('div', { class: 'ways' }, note('Looking …'));
    Ways.ofEvent(messageId).then((ways) => place.replaceChildren(ways))
      .catch((error) => place.replaceChildren(note(error.message)));
    return place;
  }

  /// How the event compares with the plan. An error is shown in its place.
  static plan(item) {
    const place = element('div', { class: 'planned' }, note('Looking …'));
    // Only an open event needs this part of the page.
    import('./planned.js').then(({ comparison }) => comparison(item)).then((parts) => place.replaceChildren(...parts))
      .catch((error) => place.replaceChildren(note(error.message)));
    return place;
  }

  static verdict(item, path) {
    if (item.kind === 'drop') {
      const { plugin, stage, destination } = item.droppedBy || {};
      const where = [stage && `stage ${stage}`, destination && `for ${destination}`].filter(Boolean).join(', ');
      const words = `Dropped on the device by ${plugin || 'an unnamed plugin'}${where ? ` (${where})` : ''}.`;
      return element('p', { class: 'note', 'data-outcome': 'dropped' }, words);
    }
    if (!path.known) {
      const client = item.library ? `, ${item.library},` : '';
      return element('p', { class: 'note' }, `The client${client} sent no trace of this event, so its path on the device `
        + 'is not known. The inspector of Tributary’s own client sends traces.');
    }
    return undefined;
  }
}
