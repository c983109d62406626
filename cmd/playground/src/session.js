// A session with the language server: documents and their changes to it, findings with their fixes back.
//
// What was typed is sent at once if the server has answered everything, and together with what follows if it has not. So
// nothing waits for a pause in typing, and no change is checked that another one has replaced already.

const URI = (name) => `file:///project/${name}.yaml`;
const EVERYWHERE = { start: { line: 0, character: 0 }, end: { line: 2 ** 31 - 1, character: 0 } };

const notification = (method, params) => ({ jsonrpc: "2.0", method, params });

// The fixes of each diagnostic, by its text. An action that only suppresses a finding is for files, not for a page.
function fixesOf(actions, uri) {
  const fixes = new Map();
  for (const { title, diagnostics, edit } of actions) {
    if (title.startsWith("Ignore ")) continue;
    const about = JSON.stringify(diagnostics[0]);
    fixes.set(about, [...(fixes.get(about) ?? []), { title, edits: edit.changes[uri] }]);
  }
  return fixes;
}

export class Session {
  #unanswered = 0;
  #changes = new Map();
  #edition = 1;
  #asked = 0;

  // texts: the documents by name, each before those that are checked with it. onFindings(name, findings, snapshot):
  // findings are diagnostics of LSP with `fixes`; the snapshot is what takeSnapshot(name) returned when the text was sent.
  constructor(checker, { version, texts, takeSnapshot, onFindings }) {
    this.checker = checker;
    this.takeSnapshot = takeSnapshot;
    this.onFindings = onFindings;
    this.names = Object.keys(texts);
    checker.open(["--kube-version", version], {}).catch(() => {});
    const opened = this.names.map((name) =>
      notification("textDocument/didOpen", {
        textDocument: { uri: URI(name), languageId: "yaml", version: this.#edition, text: texts[name] },
      }),
    );
    const beginning = this.#asking("initialize", { rootUri: "file:///project", capabilities: {} });
    this.answered = this.#check(this.names, [beginning, notification("initialized", {}), ...opened]);
  }

  // edits: contentChanges of LSP.
  change(name, edits) {
    this.#changes.set(name, [...(this.#changes.get(name) ?? []), ...edits]);
    if (this.#unanswered === 0) this.#flush();
  }

  // The server's answer to a question about a document as it is now.
  async ask(method, name, params) {
    this.#flush();
    const asking = this.#asking(method, { textDocument: { uri: URI(name) }, ...params });
    const answers = await this.#send([asking]);
    return answers.find(({ id }) => id === asking.id)?.result ?? null;
  }

  #asking(method, params) {
    return { jsonrpc: "2.0", id: ++this.#asked, method, params };
  }

  // What has changed is checked, and the documents behind it.
  #flush() {
    if (this.#changes.size === 0) return;
    const names = this.names.slice(this.names.findIndex((name) => this.#changes.has(name)));
    this.#edition++;
    const messages = names.map((name) =>
      notification("textDocument/didChange", {
        textDocument: { uri: URI(name), version: this.#edition },
        contentChanges: this.#changes.get(name) ?? [],
      }),
    );
    this.#changes.clear();
    this.#check(names, messages);
  }

  async #check(names, messages) {
    const snapshots = names.map(this.takeSnapshot);
    const askings = names.map((name) =>
      this.#asking("textDocument/codeAction", {
        textDocument: { uri: URI(name) },
        range: EVERYWHERE,
        context: { diagnostics: [] },
      }),
    );
    this.#unanswered++;
    try {
      const answers = await this.#send([...messages, ...askings]);
      names.forEach((name, index) => this.#show(name, answers, askings[index].id, snapshots[index]));
    } catch {
      return; // The thread was ended, which the checker has said.
    }
    if (--this.#unanswered === 0) this.#flush();
  }

  async #send(messages) {
    const texts = messages.map((message) => JSON.stringify(message));
    const { messages: answers } = await this.checker.ask({ kind: "messages", texts });
    return answers.map((answer) => JSON.parse(answer));
  }

  #show(name, answers, asked, snapshot) {
    const uri = URI(name);
    const isAbout = ({ method, params }) => method === "textDocument/publishDiagnostics" && params.uri === uri;
    const diagnostics = answers.findLast(isAbout)?.params.diagnostics ?? [];
    const fixes = fixesOf(answers.find(({ id }) => id === asked)?.result ?? [], uri);
    const withFixes = (diagnostic) => ({ ...diagnostic, fixes: fixes.get(JSON.stringify(diagnostic)) ?? [] });
    this.onFindings(name, diagnostics.map(withFixes), snapshot);
  }
}
