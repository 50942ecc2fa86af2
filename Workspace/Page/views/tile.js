// A saved question on the board, with its answer, and the button for the whole screen.

import { element, on } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { LineChart } from '../charts/line-chart.js';
import { button, note, table } from '../parts/parts.js';
import { fileOf } from '../charts/series.js';

function fileName(name, ending) {
  return `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'question'}.${ending}`;
}

/// The button that fills the screen of a wall with an element; nothing where the browser cannot.
export function screenButton(root, wall) {
  if (!document.fullscreenEnabled) return undefined;
  const words = () => (document.fullscreenElement ? 'Leave full screen' : 'Full screen');
  const press = button(words(), () => (document.fullscreenElement ? document.exitFullscreen() : wall().requestFullscreen()), { id: 'full-screen' });
  on(root, 'fullscreenchange', () => { press.textContent = words(); });
  return press;
}

export class Tile {
  /// `view` has the name of the question, and its link where readers may open it.
  constructor(view, question) {
    Object.assign(this, { view, question });
    this.files = element('div', { class: 'actions' });
    this.content = element('div', { class: 'tile-content' }, note('One moment …'));
    this.root = element('li', { class: 'tile', 'aria-label': view.name },
      element('div', { class: 'tile-head' }, element('h3', {}, view.link ? element('a', { href: view.link }, view.name) : view.name), this.files), this.content);
  }

  close() {
    this.isClosed = true;
    this.question.stop();
    this.chart?.close();
  }

  /// Asks again. What was shown before stays until the answer comes.
  async load() {
    this.failure = undefined;
    try {
      const answer = await this.question.answer();
      if (!this.isClosed) this.draw(answer);
    } catch (error) {
      if (this.isClosed || error.name === 'AbortError') return;
      this.failure = error;
      if (this.question.keepsAnswer?.(error)) return;
      this.chart?.close();
      this.files.replaceChildren();
      this.content.replaceChildren(note(`${error.message}.`, 'failed'));
    }
  }

  draw({ text, days, lines, titles, rows, file }) {
    this.chart?.close();
    this.chart = lines.length ? new LineChart(days, lines) : undefined;
    this.content.replaceChildren(note(text), ...(this.chart ? [this.chart.root] : []),
      ...(rows.length ? [table(titles, rows, { label: this.view.name })] : []));
    this.files.replaceChildren(element('a', { class: 'button small', href: fileOf(file), download: fileName(this.view.name, 'csv') }, 'CSV'));
    const { chart } = this;
    if (!chart) return;
    begin(async () => {
      await chart.open();
      if (chart.canSave && chart === this.chart) this.files.append(button('Image', () => this.saveImage(), { class: 'button small' }));
    });
  }

  saveImage() {
    element('a', { href: this.chart.image(this.view.name), download: fileName(this.view.name, 'png') }).click();
  }
}
