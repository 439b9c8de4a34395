// Keeps the live page up to date: it reads live.json every two seconds, and draws the charts with
// Chart.js in place of the SVG. Without this script the page loads itself again.
'use strict';

(() => {
  const PERIOD = 2000;
  const charts = new Map();
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const pause = document.getElementById('pause');
  let paused = false;
  let last = null;

  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

  function text(id, value, tone) {
    const element = document.getElementById(id);
    if (element && element.textContent !== value) {
      element.textContent = value;
    }
    if (element && tone) {
      element.className = tone;
    }
  }

  function bar(parts) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('class', 'bar');
    svg.setAttribute('viewBox', '0 0 100 6');
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('aria-hidden', 'true');
    let from = 0;
    parts.forEach((part, i) => {
      const rect = document.createElementNS(space, 'rect');
      rect.setAttribute('class', 'part' + i);
      rect.setAttribute('x', from);
      rect.setAttribute('width', part);
      rect.setAttribute('height', 6);
      svg.append(rect);
      from += part;
    });
    return svg;
  }

  function row(cells, columns) {
    const line = document.createElement('tr');
    cells.forEach((cell, i) => {
      const element = document.createElement(i === 0 ? 'th' : 'td');
      if (i === 0) {
        element.scope = 'row';
      }
      element.className = cell.tone;
      element.dataset.label = columns[i];
      element.textContent = cell.text;
      if (cell.parts) {
        element.append(bar(cell.parts));
      }
      line.append(element);
    });
    return line;
  }

  function emptyRow(table) {
    const line = document.createElement('tr');
    const cell = document.createElement('td');
    line.className = 'empty';
    cell.colSpan = table.columns.length;
    cell.textContent = table.empty;
    line.append(cell);
    return line;
  }

  function showTable(table) {
    const body = document.querySelector('#' + table.id + ' tbody');
    const rows = table.rows.map((cells) => row(cells, table.columns));
    body.replaceChildren(...(rows.length ? rows : [emptyRow(table)]));
  }

  function ago(seconds) {
    if (seconds === 0) {
      return 'now';
    }
    const minutes = Math.round(-seconds / 60);
    return minutes > 120 ? Math.round(minutes / 60) + ' h ago' : minutes + ' min ago';
  }

  // Draws the load modes as a band between the lines and the time: the higher the mode, the higher it is.
  const band = {
    id: 'band',
    afterDatasetsDraw(chart) {
      const { left, right, bottom } = chart.chartArea;
      const x = chart.scales.x;
      last.modes.forEach((stretch) => {
        const from = Math.max(left, x.getPixelForValue(stretch.from));
        const to = Math.min(right, x.getPixelForValue(stretch.to));
        chart.ctx.fillStyle = colour('mode-' + stretch.mode);
        chart.ctx.fillRect(from, bottom + 10 - stretch.height, Math.max(1, to - from), stretch.height);
      });
    },
  };

  function options(chart) {
    const faint = colour('faint');
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      scales: {
        x: {
          type: 'linear',
          min: -last.span,
          max: 0,
          ticks: { stepSize: last.span > 600 ? last.span / 4 : 120, color: faint, callback: ago, maxRotation: 0 },
          grid: { color: colour('edge'), tickLength: 12 },
        },
        y: {
          beginAtZero: true,
          suggestedMax: 1,
          ticks: {
            color: faint,
            maxTicksLimit: 5,
            callback: (value) => (value + ' ' + chart.unit).trim(),
          },
          grid: { color: colour('edge') },
        },
      },
      plugins: { legend: { labels: { color: colour('text'), boxHeight: 2 } } },
    };
  }

  function datasets(chart) {
    return chart.lines.map((line, i) => ({
      label: line.name,
      data: line.points,
      borderColor: colour('line' + i),
      borderDash: i === 0 ? [] : [6, 3],
      borderWidth: 2,
      pointRadius: 0,
    }));
  }

  function describe(chart) {
    return chart.title + ': ' + chart.lines.map((line) => {
      const values = line.points.map((point) => point.y);
      const now = values.length ? values[values.length - 1].toFixed(2) : 'unknown';
      return line.name + ' now ' + now + ', at most ' +
        Math.max(0, ...values).toFixed(2) + ' ' + chart.unit + '.';
    }).join(' ');
  }

  function showChart(chart) {
    let drawn = charts.get(chart.id);
    if (!drawn) {
      const figure = document.getElementById(chart.id);
      const frame = document.createElement('div');
      const canvas = document.createElement('canvas');
      frame.className = 'canvas';
      canvas.setAttribute('role', 'img');
      frame.append(canvas);
      figure.querySelector('svg').replaceWith(frame);
      drawn = new Chart(canvas, {
        type: 'line',
        data: { datasets: datasets(chart) },
        options: options(chart),
        plugins: [band],
      });
      charts.set(chart.id, drawn);
    } else {
      drawn.data.datasets.forEach((set, i) => {
        set.data = chart.lines[i].points;
      });
      drawn.update('none');
    }
    drawn.canvas.setAttribute('aria-label', describe(chart));
  }

  function show(board) {
    last = board;
    text('title', board.title);
    text('time', board.time);
    board.tiles.forEach((tile) => {
      text(tile.id, tile.value, tile.tone);
      text(tile.id + '-note', tile.note);
    });
    Object.entries(board.legend).forEach(([mode, time]) => text('mode-' + mode, time));
    board.tables.forEach(showTable);
    if (window.Chart) {
      board.charts.forEach(showChart);
    }
    document.documentElement.dataset.live = 'yes';
  }

  async function update() {
    if (!paused && !document.hidden) {
      try {
        // The origin has no user and password, which fetch refuses if they stand in the address.
        const answer = await fetch(location.origin + '/live.json' + location.search, { cache: 'no-store' });
        if (!answer.ok) {
          throw new Error('status ' + answer.status);
        }
        show(await answer.json());
      } catch (error) {
        text('time', 'The server does not answer (' + error.message + ')');
      }
    }
    setTimeout(update, PERIOD);
  }

  dark.addEventListener('change', () => {
    charts.forEach((chart) => {
      const figure = chart.canvas.closest('figure');
      const known = last.charts.find((one) => one.id === figure.id);
      chart.options = options(known);
      chart.data.datasets = datasets(known);
      chart.update('none');
    });
  });

  pause.hidden = false;
  paused = calm.matches;
  const label = () => {
    pause.textContent = paused ? 'Continue' : 'Pause';
  };
  pause.addEventListener('click', () => {
    paused = !paused;
    label();
  });
  label();
  update();
})();
