"use strict";
/* What the page's islands hold, unpacked. The other side is sample.py and records.py. */

const readIsland = (id) => JSON.parse(document.getElementById(id).textContent);

/* Little-endian, as every processor that runs a browser is. */
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const u1 = (text) => bytesOf(text);
const u2 = (text) => new Uint16Array(bytesOf(text).buffer);
const u4 = (text) => new Uint32Array(bytesOf(text).buffer);
const f4 = (text) => new Float32Array(bytesOf(text).buffer);

function unpackSteps(packed) {
  const values = Float64Array.from(u2(packed.steps), (steps) => packed.least + steps * packed.step);
  for (const [at, value] of packed.far) values[at] = value;
  return values;
}

/* Begin of each repetition in ms, and its number: repetitions follow each other without a gap. */
function placesOf(packed, durations) {
  if (packed.index) {
    const starts = Float64Array.from(u4(packed.start_steps), (steps) => steps * packed.start_step_ms);
    return { starts, index: u4(packed.index) };
  }
  const starts = new Float64Array(durations.length);
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i - 1] + durations[i - 1] / 1e3;
  return { starts, index: starts.map((_, i) => i) };
}

function unpackRecord(record) {
  const durations = unpackSteps(record.durations);
  const { starts, index } = placesOf(record.places, durations);
  const peaks = record.peaks;
  return {
    ...record,
    durations,
    starts,
    index,
    baseline: { at_ms: f4(record.baseline.at_ms), us: f4(record.baseline.us) },
    peaks: {
      at: u2(peaks.at),
      excess_us: unpackSteps(peaks.excess),
      source: u1(peaks.source),
      cause: peaks.cause === undefined ? null : u1(peaks.cause),
      explained_percent: peaks.cause === undefined ? null : u1(peaks.explained_percent),
    },
    ccdf: { excess_us: f4(record.ccdf.excess_us), share: f4(record.ccdf.share) },
  };
}

const unpacked = new Map();
function recordOf(number) {
  if (!unpacked.has(number)) unpacked.set(number, unpackRecord(readIsland(`record-${number}`)));
  return unpacked.get(number);
}
