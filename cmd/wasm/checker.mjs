// The other side of the worker: requests with answers, and a watch over their time.

// What takes longer is ended: the checker's own budgets are far below.
const PATIENCE_MS = 10000;

export class Checker {
  // wasm: the compiled module, or a promise of it. spawn(): a new worker. onEnd(why): the thread was ended; `open` begins
  // a new one.
  constructor(wasm, spawn, onEnd) {
    this.wasm = wasm;
    this.spawn = spawn;
    this.onEnd = onEnd;
    this.waiting = new Map();
    this.next = 1;
  }

  // The thread starts while the module is still loaded and compiled.
  async open(args, files) {
    this.close();
    this.worker = this.spawn();
    this.worker.onmessage = ({ data }) => this.#answer(data);
    this.worker.onerror = () => this.#end("the checker has failed");
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

  // Requests reach the thread in the order in which they were made.
  async ask({ wasm, ...request }) {
    const { worker } = this;
    const module = await this.wasm;
    if (worker !== this.worker) throw new Error("ended");
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end("the checker took too long"), PATIENCE_MS);
      this.waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, ...request, ...(wasm && { wasm: module }) });
    });
  }

  #answer({ id, failure, ...answer }) {
    const asked = this.waiting.get(id);
    if (!asked) return;
    clearTimeout(asked.timer);
    this.waiting.delete(id);
    if (failure === undefined) asked.resolve(answer);
    else this.#end(`the checker has failed (${failure})`);
  }

  #end(why) {
    this.close();
    this.onEnd(why);
  }
}
