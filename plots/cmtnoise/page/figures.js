/* The figures: each function gives the traces and the layout for Plotly, from an unpacked record. */

const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "triangle-down", "star", "hexagon", "cross"];
const MARKS = ["●", "■", "◆", "▲", "▼", "★", "⬢", "✚"];
const DASHES = ["solid", "dash", "dot"];
const STRAND_COLOURS = 7;
const NAMED_MOST = STRAND_COLOURS * 2;
const OTHER_SLOT = 6;
const NUMBERED_WIDTH = 40; // px of a cell that holds a number
const LEAST_PERCENT = 0.01; // less is drawn like it, and more than the most like that: the map of the machine has the same ends
const MOST_PERCENT = 10;

/* Plotly reads <b>, <a href> and entities in its texts: here they are text. */
const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const short = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

/* Plotly wants colours, not names of them. */
function colour(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function axis(title, more) {
  return {
    title: { text: title, standoff: 8 },
    gridcolor: colour("line"),
    linecolor: colour("soft"),
    zeroline: false,
    automargin: true,
    ...more,
  };
}

function layoutOf(title, xaxis, yaxis, more) {
  return {
    title: { text: plain(title), x: 0.01, xanchor: "left", font: { size: 13 } },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colour("ink"), size: 12 },
    hoverlabel: { align: "left", bgcolor: colour("raised"), font: { color: colour("ink") } },
    margin: { l: 55, r: 12, t: 34, b: 44 },
    hovermode: "closest",
    showlegend: false,
    xaxis,
    yaxis,
    ...more,
  };
}

/* Peaks by group: groups of one slot that share it (the last one of causes) are one. */
function groupsOf(record, by) {
  const numbers = by === "cause" ? record.peaks.cause : record.peaks.source;
  const named = (by === "cause" ? record.causes : record.sources).groups;
  const groups = new Map();
  numbers.forEach((number, peak) => {
    const { name, slot } = named[number];
    const key = slot === OTHER_SLOT ? "other" : number;
    if (!groups.has(key)) groups.set(key, { name: slot === OTHER_SLOT ? "others" : name, slot, peaks: [] });
    groups.get(key).peaks.push(peak);
  });
  return [...groups.values()].sort((a, b) => a.slot - b.slot);
}

function hoverOf(record, at, peak) {
  const lines = [
    `repetition ${record.index[at]}`,
    `begin ${record.starts[at].toFixed(3)} ms`,
    `duration ${record.durations[at].toFixed(2)} µs`,
  ];
  if (peak !== undefined) {
    lines.push(`excess ${record.peaks.excess_us[peak].toFixed(2)} µs`);
    if (record.causes) {
      lines.push(`cause: ${plain(record.causes.groups[record.peaks.cause[peak]].name)}`);
      lines.push(`OS events took ${record.peaks.explained_percent[peak]} % of the excess`);
    }
    lines.push(plain(record.sources.groups[record.peaks.source[peak]].name));
  }
  return lines.join("<br>");
}

function points(record, places, x, marker, hover) {
  return {
    type: "scatter",
    mode: "markers",
    x: places.map((at) => x[at]),
    y: places.map((at) => record.durations[at]),
    text: hover,
    hoverinfo: "text",
    marker,
  };
}

/* The quiet repetitions, then each group of peaks; x is the begin of a repetition or its phase. */
function repetitionTraces(record, groups, x) {
  const isPeak = new Set(record.peaks.at);
  const quiet = [...record.durations.keys()].filter((at) => !isPeak.has(at));
  const small = record.durations.length > 1500;
  const traces = [
    points(record, quiet, x, { color: colour("quiet"), size: small ? 3 : 4 }, quiet.map((at) => hoverOf(record, at))),
  ];
  for (const group of groups) {
    const places = group.peaks.map((peak) => record.peaks.at[peak]);
    const marker = { color: colour(`slot-${group.slot}`), symbol: SYMBOLS[group.slot], size: small ? 5 : 7 };
    traces.push(points(record, places, x, marker, group.peaks.map((peak) => hoverOf(record, record.peaks.at[peak], peak))));
  }
  return traces;
}

function baselineTrace(record) {
  const { at_ms, us } = record.baseline;
  return {
    type: "scatter",
    mode: "lines",
    x: [0, ...at_ms, record.span_ms],
    y: [us[0], ...us, us[us.length - 1]],
    line: { color: colour("ink"), width: 1 },
    hoverinfo: "skip",
  };
}

/* The usual range of durations: one stall of milliseconds would flatten every tick. */
function usualRange(record) {
  const least = record.durations.reduce((a, b) => Math.min(a, b));
  return [least - 0.06 * (record.view_top_us - least), record.view_top_us];
}

const titleOf = (record) => `${record.label}: strand ${record.strand}, ${short(record.kernel)}`;

function timeFigure(record, groups) {
  const layout = layoutOf(
    titleOf(record),
    axis("begin of the repetition, ms", { range: [0, record.span_ms] }),
    axis("duration, µs", { range: usualRange(record) }),
  );
  return { traces: [...repetitionTraces(record, groups, record.starts), baselineTrace(record)], layout };
}

/* Time from the nearest predicted occurrence to the begin of each repetition, in ms. */
function phases(record, fold) {
  const period_ms = 1e3 / fold.rate_hz;
  return record.starts.map((start) => {
    const turns = (start - fold.phase_ms) / period_ms;
    return (turns - Math.round(turns)) * period_ms;
  });
}

function foldFigure(record, groups, fold) {
  const half = 500 / fold.rate_hz;
  const layout = layoutOf(
    titleOf(record),
    axis("begin after the predicted occurrence, ms", { range: [-half, half] }),
    axis("duration, µs", { range: usualRange(record) }),
    { shapes: [{ type: "line", x0: 0, x1: 0, yref: "paper", y0: 0, y1: 1, line: { color: colour("ink"), width: 1, dash: "dot" } }] },
  );
  return { traces: repetitionTraces(record, groups, phases(record, fold)), layout };
}

/* Look of each strand's line: the chosen and the noisiest have a colour and a dash of their own, the others are grey. */
function strandLooks(records, noise, chosen) {
  const rank = (which) => (records[which].strand === chosen ? Infinity : noise[which]);
  const order = [...records.keys()].sort((a, b) => rank(b) - rank(a)).slice(0, NAMED_MOST);
  const looks = new Map();
  order.sort((a, b) => a - b).forEach((which, number) => {
    looks.set(which, { name: `strand-${number % STRAND_COLOURS}`, dash: DASHES[Math.floor(number / STRAND_COLOURS)] });
  });
  return looks;
}

function ccdfFigure(title, records, looks, chosen) {
  const traces = records.map((record, which) => {
    const look = looks.get(which);
    const bold = record.strand === chosen;
    return {
      type: "scatter",
      mode: "lines",
      x: record.ccdf.excess_us,
      y: record.ccdf.share,
      text: `strand ${record.strand}`,
      hovertemplate: `strand ${record.strand}<br>%{x:.3g} µs or more:<br>%{y:.3g} of repetitions<extra></extra>`,
      line: { color: colour(look ? look.name : "line"), dash: look ? look.dash : "solid", width: bold ? 4 : look ? 1.8 : 1 },
    };
  });
  const log = { type: "log", exponentformat: "none", dtick: 1 };
  const layout = layoutOf(title, axis("excess over the baseline, µs", log), axis("share of repetitions", log));
  return { traces, layout };
}

function heatmapFigure(title, overview, width) {
  const percent = overview.percent;
  const ends = [LEAST_PERCENT, MOST_PERCENT].map(Math.log10);
  const trace = {
    type: "heatmap",
    x: overview.strands.map((_, i) => i),
    y: overview.kernels.map((_, i) => i),
    z: percent.map((row) => row.map((value) => (value === null ? null : Math.log10(Math.max(value, LEAST_PERCENT))))),
    text: percent.map((row) => row.map((value) => (value === null ? "" : value.toFixed(2)))),
    hovertext: percent.map((row, k) =>
      row.map((value, s) => `${plain(overview.kernels[k])}, strand ${overview.strands[s]}<br>${value === null ? "no record" : `${value} % of its time`}`),
    ),
    hoverinfo: "text",
    hoverongaps: false,
    colorscale: "Cividis",
    reversescale: !isDark(),
    zmin: ends[0],
    zmax: ends[1] + 0.02, // else the last of the scale's ticks is left out
    xgap: 1,
    ygap: 1,
    colorbar: {
      orientation: "h", thickness: 10, len: 1, y: 1, yanchor: "bottom", x: 0.5,
      tickvals: [-2, -1, 0, 1], ticktext: ["≤ 0.01 %", "0.1 %", "1 %", "≥ 10 %"],
    },
  };
  if (width / overview.strands.length > NUMBERED_WIDTH) trace.texttemplate = "%{text}";
  const every = Math.ceil(overview.strands.length / Math.max(4, width / 30));
  const shown = overview.strands.map((_, i) => i).filter((i) => i % every === 0);
  const layout = layoutOf(
    title,
    axis("strand", { tickvals: shown, ticktext: shown.map((i) => overview.strands[i]), showgrid: false }),
    axis("", {
      tickvals: overview.kernels.map((_, i) => i),
      ticktext: overview.kernels.map((kernel) => plain(short(kernel))),
      autorange: "reversed",
      showgrid: false,
    }),
    { height: 150 + 24 * overview.kernels.length, margin: { l: 55, r: 12, t: 80, b: 44 } },
  );
  return { traces: [trace], layout };
}
