// The board for readers of a link, who have no login. The token of the link stands behind the number sign of the address, which a
// browser sends to no server. The server says how to draw each question, and what its answer is; nothing can be asked here.

import { TimeTable } from '../parts/details.js';
import { byId, element, on } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { Series } from '../charts/series.js';
import { nothing, part } from '../parts/parts.js';
import { Question } from '../views/question.js';
import { screenButton, Tile } from '../views/tile.js';

const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/// A question with the answer that the server gives to readers of the link.
class SharedQuestion extends Question {
  constructor(name, read) {
    super({ query: '' }, []);
    Object.assign(this, { name, read, source: {} });
  }

  stop() {
    this.isStopped = true;
  }

  async answer() {
    const found = await this.wait();
    this.address = new URLSearchParams(found.question);
    this.given = found.answer;
    this.at = Date.parse(found.at);
    return super.answer();
  }

  /// Asks until the server has counted.
  async wait() {
    while (!this.isStopped) {
      // The server counts meanwhile.
      const found = await this.read(`/${encodeURIComponent(this.name)}`); // eslint-disable-line no-await-in-loop
      if (found.state === 'answered') return found;
      if (found.state === 'failed') throw new Error(found.problem[0].toUpperCase() + found.problem.slice(1));
      await pause(Limits.sharedPause); // eslint-disable-line no-await-in-loop
    }
    throw new DOMException('the question was left', 'AbortError');
  }

  /// Whether the answer before stays in sight: the board says what failed.
  keepsAnswer(error) {
    return error.isOver || error instanceof TypeError;
  }

  catalog() {
    const { days, types, names, sources } = this.given;
    if (!sources) return { days, types, names };
    const rows = sources.map((one) => ({ source: one, days: Series.total('', days, one.types).counts }));
    return { days, types: sources.flatMap((one) => one.types), sources: rows };
  }

  found() {
    return this.given;
  }
}

class SharedBoard {
  tiles = [];

  start() {
    this.root = byId('place');
    on(window, 'hashchange', () => location.reload());
    on(document, 'visibilitychange', () => { if (!document.hidden && Date.now() > this.dueAt) begin(() => this.show()); });
    return this.show();
  }

  /// The answer to a reader of the link. An error says with `isOver` that the link is not valid.
  read = async (path) => {
    const response = await fetch(`/api/shared-board${path}`, {
      headers: { Accept: 'application/json', Authorization: `Bearer ${location.hash.slice(1)}` }, cache: 'no-store', credentials: 'omit',
    });
    if (response.ok) return response.json();
    const isOver = response.status === 401 || response.status === 403;
    throw Object.assign(new Error(response.status === 404 ? 'This question is not on the board any more'
      : `The server answered with the status ${response.status}`), { isOver, isGone: response.status === 404 });
  };

  /// Shows the board, and again after a while. A link that is not valid is not tried again, because each try counts as a guess.
  async show() {
    clearTimeout(this.timer);
    let wait = Limits.boardPause;
    try {
      await this.load();
    } catch (error) {
      if (error.isOver) {
        this.end();
        return;
      }
      wait = Limits.sharedRetry;
      this.failed(error);
    }
    this.dueAt = Date.now() + wait;
    this.timer = setTimeout(() => { if (!document.hidden) begin(() => this.show()); }, wait);
  }

  async load() {
    const { questions } = await this.read('');
    if (!this.tiles.length || JSON.stringify(questions) !== this.drawn) this.draw(questions);
    for (const tile of this.tiles) {
      // The answers come one after the other, as the server counts them.
      await tile.load(); // eslint-disable-line no-await-in-loop
      if (tile.failure && tile.question.keepsAnswer(tile.failure)) throw tile.failure;
    }
    const times = this.tiles.map(({ question }) => question.at).filter(Boolean);
    this.asOf.textContent = times.length ? `As of ${TimeTable.short(Math.min(...times))}.` : '';
  }

  draw(questions) {
    this.drawn = JSON.stringify(questions);
    for (const tile of this.tiles) tile.close();
    this.tiles = questions.map((name) => new Tile({ name }, new SharedQuestion(name, this.read)));
    this.asOf = element('p', { class: 'note', id: 'board-time', role: 'status' }, 'One moment …');
    this.wall = part('Board', [screenButton(this.root, () => this.wall)], this.asOf,
      questions.length ? element('ul', { class: 'board' }, ...this.tiles.map(({ root }) => root))
        : nothing('Nothing is on the board', 'Questions that are put on the board of the workspace appear here.'));
    this.wall.id = 'board';
    this.root.replaceChildren(this.wall);
  }

  /// Keeps the answers on the page, with their time.
  failed(error) {
    if (!this.asOf) this.draw([]);
    const words = error instanceof TypeError ? 'The server does not answer' : error.message;
    this.asOf.textContent = `${words}. The page tries again.`;
  }

  end() {
    for (const tile of this.tiles) tile.close();
    this.root.replaceChildren(nothing('This link shows nothing', 'It was revoked, it is over, or a part of the address is missing. '
      + 'A person who administers the workspace can make another one.'));
  }
}

begin(() => new SharedBoard().start());
