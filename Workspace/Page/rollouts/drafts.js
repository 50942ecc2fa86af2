// Texts that are not deployed. The browser keeps them until they are deployed or thrown away.

import { TimeTable } from '../parts/details.js';
import { element, on } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button } from '../parts/parts.js';
import { plural } from '../parts/text.js';

/// A text on its way from one place to another, for as long as the window is open.
export class Draft {
  static name(writeKey) {
    return `draft of ${writeKey}`;
  }

  static keep(writeKey, text) {
    sessionStorage.setItem(Draft.name(writeKey), text);
  }

  /// Removes and returns the kept text; null when there is none.
  static take(writeKey) {
    const text = sessionStorage.getItem(Draft.name(writeKey));
    sessionStorage.removeItem(Draft.name(writeKey));
    return text;
  }
}

/// The drafts of one kind of text for one source, newest first: `{id, text, at}`.
class DraftStore {
  constructor(kind, writeKey) {
    this.name = `drafts of ${kind} for ${writeKey}`;
  }

  get all() {
    try {
      return JSON.parse(localStorage.getItem(this.name)) || [];
    } catch {
      return []; // The browser keeps nothing for this page, or another program wrote there.
    }
  }

  keep(id, text) {
    const others = this.all.filter((draft) => draft.id !== id);
    this.write([{ id, text, at: Date.now() }, ...others].slice(0, Limits.drafts));
  }

  forget(id) {
    this.write(this.all.filter((draft) => draft.id !== id));
  }

  write(drafts) {
    try {
      if (drafts.length) localStorage.setItem(this.name, JSON.stringify(drafts));
      else localStorage.removeItem(this.name);
    } catch {
      Messages.said('The browser has no room to keep this text. Deploy it before you leave the page.', 'failed');
    }
  }
}

/// Keeps the text of an editor, and offers earlier drafts.
export class DraftKeeper {
  /// `restored` is called when a draft has replaced the text.
  constructor(kind, writeKey, restored) {
    this.store = new DraftStore(kind, writeKey);
    this.restored = restored;
    this.root = element('div', { class: 'drafts', role: 'status' });
    this.beginNew();
    this.leaving = new AbortController();
    on(window, 'pagehide', () => this.keep(), { signal: this.leaving.signal });
  }

  /// Call it when the place is left.
  close() {
    this.keep();
    this.leaving.abort();
  }

  /// The editor that the place shows now.
  attach(editor) {
    this.editor = editor;
    this.keep();
  }

  /// Call it when the text was changed.
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), Limits.draftPause);
  }

  /// Call it before another text replaces the text in the editor.
  leave() {
    this.keep();
    this.beginNew();
  }

  beginNew() {
    this.id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  }

  /// Keeps the text as it is now; forgets the draft when the text is one that the server has.
  keep() {
    clearTimeout(this.timer);
    if (this.editor?.isChanged) this.store.keep(this.id, this.editor.value);
    else this.store.forget(this.id);
    this.draw();
  }

  draw() {
    const others = this.store.all.filter((draft) => draft.id !== this.id && draft.text !== this.editor?.value);
    this.root.replaceChildren(...others.map((draft) => element('p', { class: 'draft' },
      element('span', {}, `A draft of ${TimeTable.short(draft.at)} with ${plural(draft.text.length, 'character')} is not deployed.`),
      button('Restore draft', () => this.restore(draft), { class: 'button small' }),
      button('Throw away', () => {
        this.store.forget(draft.id);
        this.draw();
      }, { class: 'button small' }))));
  }

  restore(draft) {
    this.leave();
    this.id = draft.id;
    this.editor.value = draft.text;
    this.keep();
    this.restored();
  }
}
