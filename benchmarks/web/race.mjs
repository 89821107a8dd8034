// Times a module of opc and onnxruntime-web in turns, in node: `node race.mjs RACE.json`.
//
// The file says: peer (the folder of node_modules), model and mjs (paths), rounds, and inputs: name,
// type, dims and file of each.  What is printed is one line of JSON: milliseconds of each round, the
// outputs of both as base64, and the file of the module that was loaded.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";

// Engines from 11.4 on have relaxed SIMD without being told.
if (parseFloat(process.versions.v8) < 11.4) {
  v8.setFlagsFromString("--experimental-wasm-relaxed-simd");
}

const KINDS = {
  float32: Float32Array, int64: BigInt64Array, int32: Int32Array, bool: Uint8Array,
  uint8: Uint8Array, int8: Int8Array,
};
const race = JSON.parse(readFileSync(process.argv[2], "utf8"));
const ort = createRequire(`${race.peer}/`)("onnxruntime-web");
ort.env.wasm.numThreads = 1;

const inputs = race.inputs.map(({ name, type, dims, file }) => {
  const bytes = readFileSync(file);
  const data = new KINDS[type](bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return { name, type, dims, data };
});
const { file, load } = await import(pathToFileURL(race.mjs));
const run = await load(readFileSync(join(dirname(race.mjs), file)));
const own = Object.fromEntries(inputs.map(({ name, data }) => [name, data]));

const session = await ort.InferenceSession.create(race.model, { executionProviders: ["wasm"] });
const feeds = Object.fromEntries(
  inputs.map(({ name, type, dims, data }) => [name, new ort.Tensor(type, data, dims)]),
);

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
const outputs = Object.entries(run(own)).map(([name, array]) => [name, base64(array)]);
const peers = Object.entries(await session.run(feeds)).map(([name, { data }]) => [name, base64(data)]);

const times = { opc: [], "onnxruntime-web": [] };
for (let round = 0; round < race.rounds; ++round) {
  let start = performance.now();
  run(own);
  times.opc.push(performance.now() - start);
  start = performance.now();
  await session.run(feeds);
  times["onnxruntime-web"].push(performance.now() - start);
}
const given = { outputs: Object.fromEntries(outputs), peers: Object.fromEntries(peers) };
console.log(JSON.stringify({ times, file, ...given }));
