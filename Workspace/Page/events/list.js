// The list of events. Only the rows in sight are in the document.

import { element, on } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { clock, span, visible } from '../parts/text.js';

/// The elements of one row; they are reused for other events as the list moves.
class Row {
  constructor() {
    const cell = (name) => element('div', { class: `cell ${name}`, role: 'gridcell' });
    this.cells = {
      time: cell('time'), type: cell('type'), name: cell('name'), user: cell('user'), path: cell('path'),
      latency: cell('latency'),
    };
    this.label = element('span', { class: 'label' });
    this.cells.type.append(this.label);
    this.element = element('div', { class: 'row item', role: 'row' }, ...Object.values(this.cells));
  }

  show(item, index, height, selected) {
    if (this.index !== index || this.height !== height) {
      this.element.style.transform = `translateY(${index * height}px)`;
      this.element.setAttribute('aria-rowindex', index + 2);
      this.index = index;
      this.height = height;
    }
    if (this.item !== item || this.revision !== item.revision) this.fill(item);
    if (this.selected !== selected) {
      this.element.setAttribute('aria-selected', selected);
      this.selected = selected;
    }
  }

  fill(item) {
    // The trace of an event often comes right behind it and must not end the highlight of its row.
    if (this.item !== item) this.element.classList.toggle('fresh-row', item.fresh);
    item.fresh = false;
    this.item = item;
    this.revision = item.revision;
    this.element.id = `row-${item.number}`;
    this.element.dataset.kind = item.kind;
    this.cells.time.textContent = clock(item.time);
    this.label.textContent = visible(item.type);
    this.label.dataset.type = item.type;
    this.cells.name.textContent = visible(item.name || item.hint || '–');
    this.cells.name.classList.toggle('hint', !item.name);
    this.cells.user.textContent = visible(item.user);
    this.cells.user.classList.toggle('anonymous', !item.userId);
    this.cells.latency.textContent = item.kind === 'drop' ? '' : span(item.latency);
    this.cells.path.replaceChildren(...Row.path(item));
  }

  /// The path in short: a mark for each stage, and the stage that dropped the event.
  static path(item) {
    const marks = item.stages.slice(0, Limits.marks)
      .map((stage) => element('i', { class: 'mark', 'data-outcome': stage.outcome }));
    const more = item.stages.length - marks.length;
    if (more > 0) marks.push(element('span', { class: 'more' }, `+${more}`));
    const parts = marks.length ? [element('span', { class: 'marks', 'aria-hidden': 'true' }, ...marks)] : [];
    const words = item.verdict;
    if (words) parts.push(element('span', { class: 'verdict', 'data-outcome': words.outcome }, words.text));
    return parts;
  }
}

/// A list of any length. Only its rows in sight are in the document.
export class EventList {
  items = [];
  rows = new Map(); // by item
  spare = [];
  selected = undefined;
  number = 0;

  constructor({ scroll, grid, body, open }) {
    Object.assign(this, { scroll, grid, body });
    on(body, 'click', (event) => {
      const target = event.target.closest('.item');
      const row = [...this.rows.values()].find((candidate) => candidate.element === target);
      if (row) open(row.item);
    });
    this.measure();
  }

  measure() {
    this.rowHeight = Number.parseFloat(getComputedStyle(this.grid).getPropertyValue('--row')) || 32;
    this.headHeight = this.grid.firstElementChild.offsetHeight;
  }

  get atTop() {
    return this.scroll.scrollTop < this.rowHeight / 2;
  }

  toTop() {
    this.scroll.scrollTop = 0;
  }

  show(items) {
    if (items.length !== this.items.length) {
      this.body.style.height = `${items.length * this.rowHeight}px`;
      this.grid.setAttribute('aria-rowcount', items.length + 1);
    }
    this.items = items;
    this.draw();
  }

  resized() {
    this.measure();
    this.body.style.height = `${this.items.length * this.rowHeight}px`;
    this.draw();
  }

  draw() {
    const height = this.scroll.clientHeight;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / this.rowHeight) - Limits.overscan);
    const sight = Math.ceil(height / this.rowHeight) + 2 * Limits.overscan;
    const visible = this.items.slice(first, first + sight);
    this.release(new Set(visible));
    visible.forEach((item, offset) => this.rowOf(item)
      .show(item, first + offset, this.rowHeight, item === this.selected));
    const active = this.rows.get(this.selected);
    if (active) this.grid.setAttribute('aria-activedescendant', active.element.id);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  release(visible) {
    for (const [item, row] of this.rows) {
      if (visible.has(item)) continue;
      this.rows.delete(item);
      this.spare.push(row);
    }
    for (const row of this.spare) {
      row.element.hidden = true;
      row.element.classList.remove('fresh-row'); // An animation would begin again when the row is shown again.
    }
  }

  rowOf(item) {
    let row = this.rows.get(item);
    if (row) return row;
    if (!item.number) item.number = this.number += 1;
    row = this.spare.pop() || new Row();
    row.element.hidden = false;
    this.rows.set(item, row);
    if (!row.element.parentNode) this.body.append(row.element);
    return row;
  }

  select(item) {
    this.selected = item;
    this.draw();
  }

  /// Moves the selection by some rows and keeps it in sight. Returns the selected item.
  move(step) {
    if (!this.items.length) return undefined;
    const now = this.items.indexOf(this.selected);
    const next = now < 0 ? 0 : Math.min(this.items.length - 1, Math.max(0, now + step));
    this.selected = this.items[next];
    const top = next * this.rowHeight;
    const room = this.scroll.clientHeight - this.headHeight - this.rowHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top > this.scroll.scrollTop + room) this.scroll.scrollTop = top - room;
    this.draw();
    return this.selected;
  }

  get pageLength() {
    return Math.max(1, Math.floor((this.scroll.clientHeight - this.headHeight) / this.rowHeight) - 1);
  }
}
