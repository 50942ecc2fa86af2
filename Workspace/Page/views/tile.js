// A saved question on the board, with its answer.

import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { LineChart } from '../charts/line-chart.js';
import { button, note, table } from '../parts/parts.js';
import { fileOf } from '../charts/series.js';
import { Question } from './question.js';

function fileName(name, ending) {
  return `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'question'}.${ending}`;
}

export class Tile {
  constructor(view, sources) {
    Object.assign(this, { view, question: new Question(view, sources) });
    this.files = element('div', { class: 'actions' });
    this.content = element('div', { class: 'tile-content' }, note('One moment …'));
    this.root = element('li', { class: 'tile', 'aria-label': view.name },
      element('div', { class: 'tile-head' }, element('h3', {}, element('a', { href: view.link }, view.name)), this.files), this.content);
  }

  close() {
    this.isClosed = true;
    this.question.stop();
    this.chart?.close();
  }

  /// Asks again. What was shown before stays until the answer comes.
  async load() {
    try {
      const answer = await this.question.answer();
      if (!this.isClosed) this.draw(answer);
    } catch (error) {
      if (this.isClosed || error.name === 'AbortError') return;
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
