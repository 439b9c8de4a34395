// Draws the charts with Chart.js in place of the SVG. The page has everything without this script.
'use strict';

(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const drawn = [];

  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

  function scale(axis) {
    const labels = new Map(axis.ticks.map((tick) => [tick.value, tick.label]));
    return {
      type: 'linear',
      min: axis.min,
      max: axis.max,
      title: { display: true, text: axis.title, color: colour('faint') },
      grid: { color: colour('edge') },
      afterBuildTicks: (one) => {
        one.ticks = axis.ticks.map((tick) => ({ value: tick.value }));
      },
      ticks: {
        color: colour('faint'),
        maxRotation: 0,
        autoSkipPadding: 12,
        callback: (value) => labels.get(value) ?? '',
      },
    };
  }

  function settings(chart) {
    return {
      type: 'line',
      data: {
        datasets: chart.lines.map((line) => ({
          label: line.name,
          data: line.points,
          borderColor: colour('line' + line.colour),
          backgroundColor: colour('line' + line.colour),
          borderDash: line.dashed ? [6, 4] : [],
          borderWidth: 2,
          clip: false,
          pointRadius: line.points.length > 40 ? 0 : 2.5,
        })),
      },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        parsing: false,
        normalized: true,
        events: [],
        scales: { x: scale(chart.x), y: scale(chart.y) },
        plugins: { legend: { display: false }, tooltip: { enabled: false } },
      },
    };
  }

  function draw(drawing) {
    const chart = JSON.parse(drawing.querySelector('script').textContent);
    const frame = document.createElement('div');
    const canvas = document.createElement('canvas');
    frame.className = 'canvas';
    canvas.setAttribute('aria-hidden', 'true');
    frame.append(canvas);
    drawing.replaceChildren(frame);
    drawn.push({ chart, canvas, picture: new Chart(canvas, settings(chart)) });
  }

  document.querySelectorAll('.drawing').forEach(draw);
  dark.addEventListener('change', () => {
    for (const one of drawn) {
      one.picture.destroy();
      one.picture = new Chart(one.canvas, settings(one.chart));
    }
  });
  document.documentElement.dataset.drawn = String(drawn.length);
})();
