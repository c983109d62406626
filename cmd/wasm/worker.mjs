// The checker, in a thread of its own, for the playground and the editor extension. Whatever it does, its user goes on;
// if it does not come back, the user ends this thread and starts another one.
import { languageServer, run } from "./host.mjs";

let module;
let server;

const handlers = {
  // The compiled module comes from the user, so that a new thread has it at once.
  async open({ wasm, args, files }) {
    module = wasm;
    server = await languageServer(module, args, files);
    return {};
  },
  // A file that the server was opened with has another text now; null: it is gone.
  file({ path, text }) {
    server.put(path, text);
    return {};
  },
  messages({ texts }) {
    return { messages: texts.flatMap((text) => server.take(text)) };
  },
  command({ args, files }) {
    return run(module, args, files);
  },
};

// One after the other, in the order in which they came.
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      postMessage({ id: data.id, ...(await handlers[data.kind](data)) });
    } catch (error) {
      postMessage({ id: data.id, failure: String(error) });
    }
  });
};
