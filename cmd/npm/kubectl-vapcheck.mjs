#!/usr/bin/env node
// kubectl-vapcheck for any system that has Node: the program in WebAssembly, with the files, the arguments, the
// environment and the standard streams of this process. It opens no connection.
import { readFileSync } from "node:fs";
import { isAbsolute, parse, relative } from "node:path";
import process from "node:process";

// Node says of each program with WASI that WASI is experimental. That is nothing for the users of this one.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith("WASI is")) emitWarning.call(process, warning, ...rest);
};
const { WASI } = await import("node:wasi");

// WASI knows the paths of Unix. A drive of Windows is a directory below the root: C:\a\b is /c/a/b.
const isWindows = process.platform === "win32";

function driveOf(path) {
  return parse(path).root.slice(0, 1).toLowerCase();
}

function unixPath(path) {
  if (!isWindows) return path;
  const slashed = path.replaceAll("\\", "/");
  if (!isAbsolute(path)) return slashed;
  return `/${driveOf(path)}/${relative(parse(path).root, path).replaceAll("\\", "/")}`;
}

// Of an argument of Windows only what is surely a path is written in the other form.
function unixArgument(argument) {
  return isWindows && /^([A-Za-z]:)?[^:=]*\\/.test(argument) ? unixPath(argument) : argument;
}

function preopens() {
  if (!isWindows) return { "/": "/" };
  const roots = new Set([parse(process.cwd()).root, ...process.argv.map((path) => parse(path).root)]);
  return Object.fromEntries([...roots].filter((root) => /^[A-Za-z]:/.test(root)).map((root) => [`/${driveOf(root)}`, root]));
}

const wasi = new WASI({
  version: "preview1",
  args: ["kubectl-vapcheck", ...process.argv.slice(2).map(unixArgument)],
  env: { ...process.env, PWD: unixPath(process.cwd()) },
  preopens: preopens(),
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
