// Runs a WebAssembly module that needs WASI: node wasi.mjs MODULE.
import { readFile } from "node:fs/promises";
import v8 from "node:v8";
import { WASI } from "node:wasi";

// Engines from 11.4 on have relaxed SIMD without being told.
if (parseFloat(process.versions.v8) < 11.4) {
  v8.setFlagsFromString("--experimental-wasm-relaxed-simd");
}

const wasi = new WASI({ version: "preview1" });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport }));
