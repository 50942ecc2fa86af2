// The answer to a query in SQL: a table, a chart when it has numbers over names or times, and a file.

import { barsWithAxes } from './chart.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { LineChart } from './line-chart.js';
import { note, nothing, table } from '../parts/parts.js';
import { tableFile } from './series.js';
import { count, plural, shortened, span } from '../parts/text.js';

/// A day, an hour or a month at the beginning of a text.
const Time = /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d.*)?)?$/;

export class SQLAnswer {
  /// `result` is that of the server; `milliseconds` is how long it took.
  constructor(result, milliseconds) {
    Object.assign(this, result);
    const { shown } = this;
    this.chart = this.makeChart();
    this.file = URL.createObjectURL(new Blob([this.text()], { type: 'text/csv' }));
    const figures = `${plural(this.rows.length, 'row')} of ${plural(this.events, 'event')}, in ${span(milliseconds)}.`;
    this.root = element('div', { class: 'sql-answer' },
      element('div', { class: 'part-head' }, note(`${figures}${this.limits()}`, this.isCut ? 'changed' : undefined),
        element('a', { class: 'button', id: 'sql-file', href: this.file, download: 'query.csv' }, 'Download CSV')),
      this.chart?.root,
      this.rows.length ? table(this.columns, shown, { label: 'Answer' })
        : nothing('No row', 'The query is right, and gives nothing for these events.'));
  }

  /// Call it when the element is in the document.
  open() {
    return this.chart?.open?.();
  }

  close() {
    this.chart?.close?.();
    URL.revokeObjectURL(this.file);
  }

  get shown() {
    return this.rows.slice(0, Limits.sqlRows).map((row) => row.map((value) => (
      value === null ? element('span', { class: 'null' }, 'null') : shortened(String(value), Limits.sqlCell))));
  }

  /// What the page or the server leaves out.
  limits() {
    const parts = [];
    if (this.isCut) parts.push(` The query gives more; these are the first ${count(this.rows.length)}.`);
    if (this.rows.length > Limits.sqlRows) parts.push(` The first ${count(Limits.sqlRows)} are shown; the file has all of them.`);
    return parts.join('');
  }

  text() {
    return tableFile([this.columns, ...this.rows.map((row) => row.map((value) => value ?? ''))]);
  }

  /// The first column with texts names the values; columns of numbers are the lines. Nothing without both.
  makeChart() {
    const all = this.rows.slice(0, Limits.sqlPoints);
    const isNumeric = (column) => all.every((row) => row[column] === null || typeof row[column] === 'number')
      && all.some((row) => row[column] !== null);
    const columns = this.columns.map((_, index) => index);
    const isText = (value) => typeof value === 'string';
    const named = columns.find((column) => all.every((row) => row[column] === null || isText(row[column]))
      && all.some((row) => isText(row[column])));
    const numbers = columns.filter(isNumeric).slice(0, Limits.exploreLines + 1);
    // A row without a name or a time has no place in the chart.
    const points = all.filter((row) => isText(row[named]));
    if (points.length < 2 || !numbers.length) return undefined;
    const isTime = points.every((row) => Time.test(row[named]));
    if (isTime) points.sort((one, other) => (one[named] < other[named] ? -1 : 1));
    const names = points.map((row) => shortened(row[named], Limits.onlyLength));
    const series = numbers.map((column) => ({ label: this.columns[column], values: points.map((row) => row[column]) }));
    if (isTime) return new LineChart(names, series, { tick: SQLAnswer.tick });
    // Names have no order, so a line between them would say nothing.
    const root = element('div', {}, element('p', { class: 'chart-name' }, this.columns[numbers[0]]),
      barsWithAxes(series[0].values.map((value) => Math.max(0, value ?? 0)), names, 'for'));
    return series[0].values.some((value) => value > 0) ? { root } : undefined;
  }

  /// A day without its year, and an hour without its seconds.
  static tick(name) {
    return name.length > 7 ? name.slice(5, 16).replace('T', ' ') : name;
  }
}
