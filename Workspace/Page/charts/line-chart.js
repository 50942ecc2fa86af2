// Counts over time as lines: by Chart.js where the server has it, else as bars.

import { barsWithAxes } from './chart.js';
import { element } from '../parts/elements.js';
import { isThere, loadScripts } from '../api/libraries.js';
import { Limits } from '../api/limits.js';
import { count, visible } from '../parts/text.js';

/// The colour of the sum, and those of the other series. There are as many as a chart has other series at most.
const SumColour = '--accent';
const Colours = ['--identify', '--screen', '--group', '--changed', '--dropped'];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/// A chart of some series, each `{label, values, isBefore}`. The first series is the sum; a series with `isBefore` is
/// drawn faintly. A value that is null leaves a gap.
export class LineChart {
  /// `names` labels the values, by default with days. `tick` makes the text below the chart from a label, and `on` is
  /// the word before a label.
  constructor(names, series, { tick = (name) => name.slice(5), on = 'on' } = {}) {
    Object.assign(this, { names, series, tick, on });
    this.root = element('div', { class: 'line-chart' }, this.bars());
  }

  bars() {
    return barsWithAxes(this.series[0].values.map((value) => value ?? 0), this.names, this.on);
  }

  /// Shows other values in the chart that is in the document.
  show(names, series) {
    Object.assign(this, { names, series });
    if (this.chart) {
      this.chart.canvas.setAttribute('aria-label', this.words());
      this.repaint();
    } else this.root.replaceChildren(this.bars());
  }

  /// Call it when the element is in the document.
  async open() {
    if (!isThere('chart.js')) return;
    try {
      await loadScripts(['chart.js']);
    } catch {
      return; // The bars stay.
    }
    if (this.isClosed) return;
    const canvas = element('canvas', { role: 'img', 'aria-label': this.words() });
    const frame = element('div', { class: 'chart-frame' }, canvas);
    this.root.replaceChildren(frame);
    this.chart = new window.Chart(canvas, this.options());
    this.theme = window.matchMedia('(prefers-color-scheme: dark)');
    this.repaint = () => {
      this.chart.options = this.options().options;
      this.chart.data = this.options().data;
      this.chart.update();
    };
    this.theme.addEventListener('change', this.repaint);
  }

  /// Whether there is an image of the chart.
  get canSave() {
    return Boolean(this.chart) && !this.isClosed;
  }

  /// The address of an image of the chart with a title, on the ground of the page.
  image(title) {
    const { canvas } = this.chart;
    const scale = canvas.width / canvas.clientWidth;
    const head = Math.round(36 * scale);
    const whole = element('canvas', { width: String(canvas.width), height: String(canvas.height + head) });
    const pen = whole.getContext('2d');
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, whole.width, whole.height);
    pen.fillStyle = colour('--text');
    pen.font = `600 ${Math.round(16 * scale)}px sans-serif`;
    pen.fillText(visible(title), 8 * scale, 24 * scale, whole.width - 16 * scale);
    pen.drawImage(canvas, 0, head);
    return whole.toDataURL('image/png');
  }

  /// Call it before the element is taken out of the document.
  close() {
    this.isClosed = true;
    this.theme?.removeEventListener('change', this.repaint);
    this.chart?.destroy();
  }

  /// The chart in words, for readers who do not see it. The table below has the numbers.
  words() {
    const [sum] = this.series;
    const peak = sum.values.indexOf(Math.max(...sum.values));
    return `${this.series.map((one) => one.label).join(', ')} from ${this.names[0]} to ${this.names.at(-1)}; the most `
      + `${this.on} ${this.names[peak]}: ${count(sum.values[peak])}`;
  }

  options() {
    const [soft, line] = [colour('--soft'), colour('--line')];
    const axis = { grid: { color: line, drawBorder: false }, ticks: { color: soft, maxRotation: 0 } };
    // Days without their year. A phone has room for few of them.
    const names = {
      ...axis.ticks, maxTicksLimit: window.innerWidth < Limits.narrow ? 4 : 8, callback: (_, index) => this.tick(this.names[index]),
    };
    return {
      type: 'line',
      data: { labels: this.names, datasets: LineChart.sets(this.series) },
      options: {
        animation: false, maintainAspectRatio: false, responsive: true,
        interaction: { mode: 'index', intersect: false },
        scales: { x: { ...axis, ticks: names }, y: { ...axis, beginAtZero: true, ticks: { ...axis.ticks, precision: 0, maxTicksLimit: 5 } } },
        plugins: { legend: { display: this.series.length > 1, labels: { color: colour('--text'), boxWidth: 12 } } },
      },
    };
  }

  /// The lines of the series. No two of them have the same colour.
  static sets(series) {
    let used = 0;
    return series.map((one, index) => {
      if (one.isBefore) return LineChart.set(one, colour('--line-strong'));
      if (!index) return LineChart.set(one, colour(SumColour));
      used += 1;
      return LineChart.set(one, colour(Colours[(used - 1) % Colours.length]));
    });
  }

  static set({ label, values, isBefore }, own) {
    return {
      label: visible(label), data: values, borderColor: own, backgroundColor: own, borderWidth: isBefore ? 1.5 : 2, pointRadius: 0,
      pointHitRadius: 8, borderDash: isBefore ? [4, 4] : [], tension: 0,
    };
  }
}
