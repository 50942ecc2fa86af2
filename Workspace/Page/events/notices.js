// Notices instead of events: rejected events, and an empty list.

import { JSONTree } from '../parts/details.js';
import { element, section } from '../parts/elements.js';
import { ExactJSON, member } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { Snippets } from './snippets.js';
import { clock, instant, plural, textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// Events that the workspace did not store, each with the reason.
export class Rejections {
  constructor(panel) {
    this.panel = panel;
  }

  async show(scope) {
    let content;
    try {
      const records = await Workspace.records(`/api/rejected?order=desc&limit=${Limits.rejected}${scope}`, 'rejected');
      content = records.length ? records.map(({ record, raw }) => Rejections.entry(record, raw))
        : [element('p', { class: 'note' }, 'No event was rejected.')];
    } catch (error) {
      content = [element('p', { class: 'note' }, `The rejected events could not be read: ${error.message}.`)];
    }
    this.panel.item = undefined;
    this.panel.open(element('h2', {}, 'Rejected events'), section('Newest first', ...content));
  }

  static entry(record, raw) {
    const event = member(ExactJSON.parse(raw), 'event');
    return element('article', { class: 'rejection' },
      element('div', { class: 'step-line' }, element('span', { class: 'when' }, clock(instant(record.receivedAt))),
        element('code', {}, textual(record.code)), element('span', { class: 'when' }, textual(record.writeKey))),
      element('p', { class: 'reason' }, textual(record.reason)),
      event ? new JSONTree(event, 0).draw() : undefined);
  }
}

/// The text instead of a list that is empty.
export class EmptyState {
  constructor(root) {
    this.root = root;
  }

  hide() {
    this.root.hidden = true;
    this.state = undefined;
  }

  /// `state` names the text on display, so that it is not built again for every frame.
  show(state, build) {
    this.root.hidden = false;
    if (this.state === state) return;
    this.state = state;
    this.root.replaceChildren(...build());
  }

  static first(writeKey) {
    return [element('h2', {}, 'Waiting for the first event …'),
      element('p', {}, 'Send it from an app or from a terminal. It appears here as soon as it is stored.'),
      new Snippets(writeKey).draw()];
  }

  /// `older` looks further back. `left` is how many older events the server did not look at for the conditions; nothing without
  /// conditions.
  static nothingMatches(clear, older, left = undefined) {
    const button = (label, click) => element('button', { class: 'button', type: 'button', click }, label);
    return [element('h2', {}, 'No event matches'),
      element('p', {}, left === undefined
        ? 'None of the events that are loaded matches the filter. New ones that do will appear here.'
        : `${left ? `None of the newest stored events meets the conditions. The server did not look at ${plural(left, 'older event')} yet.`
          : 'No stored event meets the conditions.'} New ones that do will appear here. Of an event that was dropped on a device, the workspace has the members of its trace: `
          + 'type, name, user and ids.'),
      element('div', { class: 'choices' }, button('Clear the filter', clear),
        older ? button('Search older events', older) : undefined)];
  }
}
