// The host of vapcheck.wasm in a page: files in memory, no clock that waits, no network. A module is compiled once; each
// command and each language server is an instance of its own.
import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const ROOT = "/project";

// Texts by path, { "policy.yaml": "...", "tests/a.yaml": "..." }, as the directory ROOT. They may change while a program
// runs.
class Project {
  constructor(files) {
    this.top = new Directory(new Map());
    for (const [path, text] of Object.entries(files)) this.put(path, text);
  }

  // Puts a file there; with null for its text, removes it.
  put(path, text) {
    const names = path.split("/");
    const name = names.pop();
    const directory = names.reduce((here, inner) => this.#inner(here, inner), this.top);
    if (text === null) directory.contents.delete(name);
    else directory.contents.set(name, new File(encoder.encode(text)));
  }

  #inner(directory, name) {
    const known = directory.contents.get(name);
    if (known) return known;
    const made = new Directory(new Map());
    made.parent = directory;
    directory.contents.set(name, made);
    return made;
  }

  preopened() {
    return new PreopenDirectory("/", new Map([[ROOT.slice(1), this.top]]));
  }
}

async function start(module, { args, project, onOutput, onError }) {
  const streams = [
    new OpenFile(new File(new Uint8Array())),
    new ConsoleStdout(onOutput),
    new ConsoleStdout(onError),
  ];
  const files = [...streams, project.preopened()];
  const wasi = new WASI(["kubectl-vapcheck", ...args], [`PWD=${ROOT}`, "NO_COLOR=1"], files, { debug: false });
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
  wasi.initialize(instance);
  return instance.exports;
}

function concatenate(chunks) {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

// A command: {status, output, errors}.
export async function run(module, args, files) {
  const output = [];
  const errors = [];
  const exports = await start(module, {
    args,
    project: new Project(files),
    onOutput: (bytes) => output.push(bytes.slice()),
    onError: (bytes) => errors.push(bytes.slice()),
  });
  const status = exports.vapcheck_run();
  return { status, output: decoder.decode(concatenate(output)), errors: decoder.decode(concatenate(errors)) };
}

// The messages in what the server wrote, "Content-Length: N\r\n\r\n" before each.
function messagesOf(bytes) {
  const messages = [];
  for (let at = 0; at < bytes.length; ) {
    const end = decoder.decode(bytes.subarray(at, at + 64)).indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/.exec(decoder.decode(bytes.subarray(at, at + end)))[1]);
    at += end + 4;
    messages.push(decoder.decode(bytes.subarray(at, at + length)));
    at += length;
  }
  return messages;
}

// A language server: take(message) returns the messages that it answers; put(path, text) changes a file that it reads.
// Messages are texts of JSON.
export async function languageServer(module, args, files) {
  const project = new Project(files);
  let output = [];
  const exports = await start(module, {
    args,
    project,
    onOutput: (bytes) => output.push(bytes.slice()),
    onError: () => {},
  });
  if (exports.vapcheck_lsp_open() !== 0) throw new Error(`the language server does not take ${args.join(" ")}`);
  return {
    put: (path, text) => project.put(path, text),
    take(message) {
      const bytes = encoder.encode(message);
      const at = exports.vapcheck_lsp_room(bytes.length) >>> 0;
      new Uint8Array(exports.memory.buffer).set(bytes, at);
      output = [];
      exports.vapcheck_lsp_take(bytes.length);
      return messagesOf(concatenate(output));
    },
  };
}
