// The board: saved questions beside each other, and the list of all saved questions.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, note, nothing, part, table } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { Workspace } from '../api/workspace.js';
import { BoardLinks } from '../views/links.js';
import { Question } from '../views/question.js';
import { askName, viewPath } from '../views/saved-view.js';
import { screenButton, Tile } from '../views/tile.js';

export class BoardPlace {
  static isOfAllSources = true;
  tiles = [];

  constructor(root, surroundings, open) {
    Object.assign(this, { root, surroundings, open });
  }

  async start() {
    this.views = (await Workspace.json('/api/views')).views;
    const shown = this.views.filter(({ board }) => board).sort((one, other) => one.board - other.board);
    this.tiles = shown.map((view) => new Tile(view, new Question(view, this.surroundings.sources)));
    const links = element('div', { id: 'board-links' });
    this.root.replaceChildren(...this.board(), this.list(), links);
    if (this.surroundings.may('administer')) begin(() => new BoardLinks(links).start());
    this.timer = setInterval(() => { if (!document.hidden) begin(() => this.ask()); }, Limits.boardPause);
    begin(() => this.ask());
  }

  /// Call it when the place is left.
  close() {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const tile of this.tiles) tile.close();
  }

  // The board

  board() {
    if (!this.tiles.length) {
      return [nothing('Nothing is on the board', 'Save a question in Explore, and choose that it is shown here.',
        element('a', { class: 'button', href: '/explore' }, 'Explore'))];
    }
    this.asOf = element('p', { class: 'note', id: 'board-time', role: 'status' }, 'Asking …');
    const wall = part('Board', [button('Refresh', (event) => Messages.during(event.target, () => this.ask()), { id: 'refresh' }), screenButton(this.root, () => this.wall)],
      this.asOf, element('ul', { class: 'board' }, ...this.tiles.map(({ root }) => root)));
    wall.id = 'board';
    this.wall = wall;
    return [wall];
  }

  /// Asks one question after the other, because some of them read all events.
  async ask() {
    if (!this.tiles.length) return;
    // A press during the questions waits for them.
    this.asking ??= this.askAll().finally(() => { this.asking = undefined; });
    await this.asking;
  }

  async askAll() {
    for (const tile of this.tiles) {
      if (this.isClosed) return;
      // The answers have to come one after the other.
      await tile.load(); // eslint-disable-line no-await-in-loop
    }
    this.asOf.textContent = `As of ${TimeTable.short(Date.now())}. Days are those of the time zone of the source where a question names none.`;
  }

  // The list

  list() {
    const may = this.surroundings.may('deploy');
    const places = { events: 'Events', explore: 'Explore', catalog: 'Catalog' };
    const rows = this.views.map((view) => [
      element('a', { href: view.link }, view.name), places[view.place], view.owner ?? 'Admin token',
      TimeTable.short(Date.parse(view.updatedAt)), view.board ? String(view.board) : '–',
      may ? element('div', { class: 'actions' }, ...this.buttons(view)) : '',
    ]);
    return part('Saved questions', [], rows.length
      ? table(['Name', 'Place', 'Owner', 'Saved', 'On the board', ''], rows, { label: 'Saved questions' })
      : note('No question is saved. Save question in Explore gives the question there a name.'));
  }

  buttons(view) {
    const act = (label, work) => button(label, (event) => Messages.during(event.target, work), { class: 'button small' });
    const change = (values) => () => this.change(view, values);
    const last = this.views.filter(({ board }) => board).length;
    return [
      ...(view.board > 1 ? [act('Earlier', change({ board: view.board - 1 }))] : []),
      ...(view.board && view.board < last ? [act('Later', change({ board: view.board + 1 }))] : []),
      ...(view.place === 'explore' ? [act(view.board ? 'Take off' : 'Put on board', change({ board: view.board ? null : last + 1 }))] : []),
      act('Rename', () => this.rename(view)), act('Remove', () => this.remove(view)),
    ];
  }

  async change(view, values) {
    await Workspace.send('PUT', viewPath(view.name), values);
    await this.open();
  }

  async rename(view) {
    const asked = await askName({
      title: `Rename ${view.name}`, action: 'Rename', name: view.name, text: 'Its place on the board and its owner stay.',
    });
    if (asked?.name && asked.name !== view.name) await this.change(view, { name: asked.name });
  }

  async remove(view) {
    const yes = await confirmed({
      title: `Remove ${view.name}?`, action: 'Remove', text: 'All readers of this workspace lose it, and the board too. No event is removed.',
    });
    if (!yes) return;
    await Workspace.remove(viewPath(view.name));
    await this.open();
  }
}
