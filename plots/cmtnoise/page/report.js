/* The page's controls: what is chosen, and what follows from it. */

const byId = (id) => document.getElementById(id);
const overview = readIsland("overview");
const CONFIG = {
  responsive: true,
  displaylogo: false,
  modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
};

function fill(list, children) {
  list.replaceChildren(...children);
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function options(select, texts, chosen) {
  fill(select, texts.map((text, i) => element("option", text, { value: i })));
  select.value = String(Math.max(0, chosen));
}

function table(into, heads, rows) {
  const line = (tag, cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => element(tag, cell)));
    return row;
  };
  if (!rows.length) return fill(into, []);
  const head = document.createElement("thead");
  const body = document.createElement("tbody");
  head.append(line("th", heads));
  body.append(...rows.map((row) => line("td", row)));
  return fill(into, [head, body]);
}

function draw(id, figure) {
  return Plotly.react(byId(id), figure.traces, figure.layout, CONFIG);
}

const chosenStrand = () => Number(byId("strand").value);
const chosenKernel = () => Number(byId("kernel").value);
const numberOf = (strand) => overview.records[chosenKernel()][strand][Number(byId("round").value)];
function chosenRecord() {
  const number = numberOf(chosenStrand());
  return number === null ? null : recordOf(number);
}

/* A legend of buttons: each hides and shows its trace in the figures named. */
function legend(list, entries, figures) {
  fill(list, entries.map(({ mark, colourName, text, trace }) => {
    const button = element("button", "", { type: "button", "aria-pressed": "true" });
    const sign = element("span", mark, { class: "mark", "aria-hidden": "true" });
    sign.style.color = `var(--${colourName})`;
    button.append(sign, text);
    button.addEventListener("click", () => {
      const show = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(show));
      for (const id of figures) if (byId(id).data) Plotly.restyle(byId(id), { visible: show }, [trace]);
    });
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

function drawFold(record, groups) {
  const fold = record.sources.folds[Number(byId("fold").value)];
  byId("folded").hidden = !fold;
  if (!fold) return Plotly.purge(byId("plot-fold"));
  byId("caption-fold").textContent =
    `${record.label}: folded at ${fold.rate_hz.toFixed(3)} Hz, a period of ${(1e3 / fold.rate_hz).toFixed(4)} ms: ` +
    "what comes at that rate stands just before 0, everything else is spread out.";
  return draw("plot-fold", foldFigure(record, groups, fold));
}

function captionTime(record) {
  const above = record.durations.filter((us) => us > record.view_top_us);
  const most = above.reduce((a, b) => Math.max(a, b), 0);
  const hidden = above.length
    ? ` ${above.length} repetitions lie above the usual range, up to ${most.toFixed(0)} µs: “Everything” shows them.`
    : "";
  return `${record.label}: the line is the baseline, pale points are undisturbed repetitions. ${record.drawn}${hidden}`;
}

function drawRecord(record) {
  const groups = groupsOf(record, byId("colour").value);
  const entries = groups.map((group, i) => ({
    mark: MARKS[group.slot],
    colourName: `slot-${group.slot}`,
    text: `${group.name}: ${group.peaks.length}`,
    trace: i + 1,
  }));
  byId("caption-time").textContent = captionTime(record);
  draw("plot-time", timeFigure(record, groups));
  drawFold(record, groups);
  legend(byId("legend"), entries, ["plot-time", "plot-fold"]);
}

function tellRecord(record) {
  byId("sources-note").textContent = record.sources.note;
  table(byId("sources"), overview.heads.sources, record.sources.rows);
  byId("causes-note").textContent = record.causes ? record.causes.note : "No OS events were traced with this record.";
  table(byId("causes"), overview.heads.causes, record.causes?.rows ?? []);
  table(byId("events"), overview.heads.events, record.causes?.event_rows ?? []);
  fill(byId("record-warnings"), record.warnings.map((warning) => element("li", warning)));
  options(byId("fold"), record.sources.folds.map((fold) => `${fold.rate_hz.toFixed(2)} Hz`), 0);
}

function colourChoices(record) {
  const select = byId("colour");
  const before = select.value;
  const choices = record.causes ? [["cause", "cause"], ["source", "periodic source"]] : [["source", "periodic source"]];
  fill(select, choices.map(([value, text]) => element("option", text, { value })));
  select.value = choices.some(([value]) => value === before) ? before : choices[0][0];
}

function drawCcdf() {
  const kernel = chosenKernel();
  const strands = [...overview.strands.keys()].filter((s) => numberOf(s) !== null);
  const records = strands.map((s) => recordOf(numberOf(s)));
  const chosen = overview.strands[chosenStrand()];
  const looks = strandLooks(records, strands.map((s) => overview.percent[kernel][s]), chosen);
  const title = `${short(overview.label)}: ${short(overview.kernels[kernel])}`;
  draw("plot-ccdf", ccdfFigure(title, records, looks, chosen));
  const rest = records.length - looks.size;
  byId("caption-ccdf").textContent =
    `${overview.label}: kernel ${overview.kernels[kernel]}, the share of repetitions whose excess over the baseline reaches a value, ` +
    `on logarithmic axes. The strand chosen above is drawn thick${rest ? `; ${rest} quieter strands are grey` : ""}.`;
  const entries = [...looks].map(([which, look]) => ({
    mark: { solid: "━", dash: "╍", dot: "┅" }[look.dash],
    colourName: look.name,
    text: `strand ${records[which].strand}`,
    trace: which,
  }));
  legend(byId("legend-ccdf"), entries, ["plot-ccdf"]);
}

function drawHeatmap() {
  const plot = byId("plot-heatmap");
  const figure = heatmapFigure(short(overview.label), overview, plot.clientWidth - 120);
  plot.style.height = `${figure.layout.height}px`;
  byId("caption-heatmap").textContent =
    `${overview.label}: share of each record's time above the baseline, in percent, on a logarithmic scale. Empty: no record.`;
  return draw("plot-heatmap", figure);
}

function markMap() {
  const strand = overview.strands[chosenStrand()];
  for (const button of document.querySelectorAll("button[data-strand]")) {
    button.setAttribute("aria-pressed", String(button.dataset.strand === strand));
  }
}

function showChosen() {
  const record = chosenRecord();
  byId("drawn").hidden = !record;
  byId("told").textContent = record ? record.caption : "There is no record of this kernel on this strand.";
  fill(byId("record-warnings"), []);
  markMap();
  drawCcdf();
  if (!record) return;
  colourChoices(record);
  tellRecord(record);
  drawRecord(record);
}

/* Ranges by buttons: whoever uses no pointer can look closer too. */
function changeRange(how) {
  const plot = byId("plot-time");
  const record = chosenRecord();
  const [low, high] = plot.layout.xaxis.range.map(Number);
  const width = high - low;
  const to = {
    closer: [low + width / 4, high - width / 4],
    wider: [low - width / 2, high + width / 2],
    earlier: [low - width / 2, high - width / 2],
    later: [low + width / 2, high + width / 2],
  }[how];
  if (to) return Plotly.relayout(plot, { "xaxis.range": to });
  if (how === "whole") return Plotly.relayout(plot, { "xaxis.autorange": true, "yaxis.autorange": true });
  return Plotly.relayout(plot, { "xaxis.range": [0, record.span_ms], "yaxis.range": usualRange(record) });
}

function drawAll() {
  const record = chosenRecord();
  if (record) drawRecord(record);
  drawCcdf();
  drawHeatmap();
}

function listen() {
  for (const id of ["strand", "kernel", "round"]) byId(id).addEventListener("change", showChosen);
  byId("colour").addEventListener("change", () => drawRecord(chosenRecord()));
  byId("fold").addEventListener("change", () => drawRecord(chosenRecord()));
  for (const button of document.querySelectorAll("button[data-range]")) {
    button.addEventListener("click", () => changeRange(button.dataset.range));
  }
  for (const button of document.querySelectorAll("button[data-strand]")) {
    button.addEventListener("click", () => {
      byId("strand").value = String(overview.strands.indexOf(button.dataset.strand));
      showChosen();
      byId("one").scrollIntoView();
      byId("strand").focus({ preventScroll: true });
    });
  }
  document.addEventListener("theme", drawAll);
}

function start() {
  options(byId("strand"), overview.strands, overview.first.strand);
  options(byId("kernel"), overview.kernels, overview.first.kernel);
  options(byId("round"), overview.rounds, 0);
  byId("round-label").hidden = overview.rounds.length === 1;
  listen();
  showChosen();
  drawHeatmap();
  byId("plot-heatmap").on("plotly_click", (event) => {
    byId("kernel").value = String(event.points[0].y);
    byId("strand").value = String(event.points[0].x);
    showChosen();
  });
}

start();
