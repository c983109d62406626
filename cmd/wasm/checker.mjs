// The other side of the worker: requests with answers, and a watch over their time.

// What takes longer is ended: the checker's own budgets are far below.
const PATIENCE_MS = 10000;

export class Checker {
  // spawn(): a new worker. onRestart(why): the thread was ended; `open` begins a new one.
  constructor(wasm, spawn, onRestart) {
    this.wasm = wasm;
    this.spawn = spawn;
    this.onRestart = onRestart;
    this.waiting = new Map();
    this.next = 1;
  }

  open(args, files) {
    this.close();
    this.worker = this.spawn();
    this.worker.onmessage = ({ data }) => this.#answer(data);
    this.worker.onerror = () => this.#restart("the checker has failed");
    return this.ask({ kind: "open", wasm: this.wasm, args, files });
  }

  close() {
    this.worker?.terminate();
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Error("ended"));
    }
    this.waiting.clear();
  }

  ask(request) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#restart("the checker took too long, and was started again"), PATIENCE_MS);
      this.waiting.set(id, { resolve, reject, timer });
      this.worker.postMessage({ id, ...request });
    });
  }

  #answer({ id, failure, ...answer }) {
    const asked = this.waiting.get(id);
    if (!asked) return;
    clearTimeout(asked.timer);
    this.waiting.delete(id);
    if (failure === undefined) asked.resolve(answer);
    else this.#restart(`the checker has failed (${failure}), and was started again`);
  }

  #restart(why) {
    this.close();
    this.onRestart(why);
  }
}
