// Feeds a stream of samples to the detector, 256 at a time.
import { load } from "./voice.mjs";

const SAMPLES = 256;
const LOUD = 40;

/** A detector; `source` is what load() of voice.mjs takes. */
export async function detector(source) {
  const run = await load(source);
  const waiting = [];
  let quiet = new Float32Array(12).fill(LOUD);
  /** Take samples at 16 kHz, and give how likely there is speech in each 256 of all so far. */
  return (samples) => {
    const found = [];
    waiting.push(...samples);
    while (waiting.length >= SAMPLES) {
      const [likely, rest] = Object.values(run({ samples: waiting.splice(0, SAMPLES), quiet }));
      quiet = rest;
      found.push(likely[0]);
    }
    return found;
  };
}
