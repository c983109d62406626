#!/usr/bin/env node
// kubectl-vapcheck for any system that has Node: the program in WebAssembly, with the files, the arguments, the
// environment and the standard streams of this process. It opens no connection.
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { unixPaths } from "./paths.mjs";

// Node says of each program with WASI that WASI is experimental. That is nothing for the users of this one.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith("WASI is")) emitWarning.call(process, warning, ...rest);
};
const { WASI } = await import("node:wasi");

const { args, preopens, pwd } = unixPaths(path, process.cwd(), process.argv.slice(2));
const wasi = new WASI({
  version: "preview1",
  args: ["kubectl-vapcheck", ...args],
  env: { ...process.env, PWD: pwd },
  preopens,
  returnOnExit: true,
});
// A pipe that another program shares may not block. Then WASI says "try again", which C takes for an error.
const ERRNO_AGAIN = 6;
const PAUSE_MS = 2;
const pause = new Int32Array(new SharedArrayBuffer(4));

function patient(call) {
  return (...args) => {
    for (;;) {
      const answer = call(...args);
      if (answer !== ERRNO_AGAIN) return answer;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  };
}

const { fd_read, fd_write } = wasi.wasiImport;
const imports = { ...wasi.wasiImport, fd_read: patient(fd_read), fd_write: patient(fd_write) };
const module = await WebAssembly.compile(readFileSync(new URL("./vapcheck.wasm", import.meta.url)));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
wasi.initialize(instance);
process.exitCode = instance.exports.vapcheck_run();
