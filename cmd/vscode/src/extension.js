// The editor extension: the language server of kubectl-vapcheck, as WebAssembly in a worker, so that it needs no program on
// the machine and works in a browser. It begins when the first document with CEL is opened.
import * as vscode from "vscode";
import { AbstractMessageReader, AbstractMessageWriter, LanguageClient } from "vscode-languageclient/browser";
import { Checker } from "../../wasm/checker.mjs";
import { ROOT } from "../../wasm/host.mjs";

const LANGUAGES = ["yaml", "json"];
const FILES = "**/*.{yaml,yml,json}";
const IS_READ = /\.(yaml|yml|json)$/;
const LEFT_OUT = new Set([".git", "node_modules", "vendor"]);
// What a workspace gives the checker at most; a document that is open is always checked.
const FILES_MOST = 5000;
const FILE_MOST_BYTES = 3 * 1024 * 1024;

// The objects that carry CEL expressions, and those that belong to them.
const KINDS = new RegExp(
  String.raw`\bkind["']?\s*:\s*["']?(` +
    "(Validating|Mutating)AdmissionPolicy(Binding)?|(Validating|Mutating)WebhookConfiguration|" +
    "CustomResourceDefinition|CompositeResourceDefinition|ConstraintTemplate|DeviceClass|ResourceClaim(Template)?|" +
    String.raw`AuthenticationConfiguration|AuthorizationConfiguration|AdmissionConfiguration)\b`,
);

/* ---- files ---- */

// The workspace is the directory ROOT of the checker; with several folders, each is a directory in it.
function pathOf(uri) {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const top = vscode.workspace.workspaceFolders.length > 1 ? [folder.name] : [];
  const below = uri.path.slice(folder.uri.path.length).split("/").filter(Boolean);
  return [...top, ...below].join("/");
}

// The names that documents have for the server, and back.
const names = new Map();

function nameOf(uri) {
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const path = isInside ? `${ROOT}/${pathOf(uri)}` : `/elsewhere/${uri.scheme}/${uri.authority}${uri.path}`;
  const name = "file://" + path.replace(/\/$/, "").split("/").map(encodeURIComponent).join("/");
  names.set(name, uri);
  return name;
}

const uriOf = (name) => names.get(name) ?? vscode.Uri.parse(name);

// Returns the file's text, or null if it is not there, or cannot be read.
async function textOf(uri) {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length <= FILE_MOST_BYTES ? new TextDecoder().decode(bytes) : null;
  } catch {
    return null;
  }
}

// Not by findFiles: not every file system of a browser can search.
async function collect(directory, found) {
  for (const [name, type] of await vscode.workspace.fs.readDirectory(directory)) {
    if (found.length >= FILES_MOST) return;
    const uri = vscode.Uri.joinPath(directory, name);
    if (type === vscode.FileType.Directory && !LEFT_OUT.has(name)) await collect(uri, found);
    else if (type !== vscode.FileType.Directory && IS_READ.test(name)) found.push(uri);
  }
}

async function filesOfWorkspace() {
  const uris = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) await collect(folder.uri, uris);
  const texts = await Promise.all(uris.map(async (uri) => [pathOf(uri), await textOf(uri)]));
  return Object.fromEntries(texts.filter(([, text]) => text !== null));
}

/* ---- the server ---- */

class Reader extends AbstractMessageReader {
  listen(callback) {
    this.callback = callback;
    return { dispose: () => (this.callback = undefined) };
  }

  take(messages) {
    for (const message of messages) this.callback?.(JSON.parse(message));
  }

  end() {
    this.fireClose();
  }
}

class Writer extends AbstractMessageWriter {
  constructor(send) {
    super();
    this.send = send;
  }

  write(message) {
    return this.send(JSON.stringify(message));
  }

  end() {}
}

// Messages to a checker and back. When the checker has not come back in time, its thread was ended: the connection ends,
// and the client makes another one.
function makeServer(context, log) {
  let module;
  let checker;
  const compile = async () =>
    WebAssembly.compile(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, "vapcheck.wasm")));
  const spawn = () => new Worker(vscode.Uri.joinPath(context.extensionUri, "worker.js").toString(true));
  return {
    async connect() {
      module ??= await compile();
      checker?.close();
      const reader = new Reader();
      checker = new Checker(module, spawn, (why) => {
        log.warn(`${why}, and is started again`);
        reader.end();
      });
      const version = vscode.workspace.getConfiguration("vapcheck").get("kubeVersion");
      const files = await filesOfWorkspace();
      const args = [...(version ? ["--kube-version", version] : []), ...(".vapcheck.yaml" in files ? [] : ["-f", "."])];
      await checker.open(args, files);
      const asked = checker;
      const send = (text) =>
        asked.ask({ kind: "messages", texts: [text] }).then(
          ({ messages }) => reader.take(messages),
          () => {}, // the thread was ended, which the reader has said
        );
      return { reader, writer: new Writer(send) };
    },
    put: (path, text) => checker?.ask({ kind: "file", path, text }).catch(() => {}),
    close: () => checker?.close(),
  };
}

/* ---- the client ---- */

function begin(context) {
  const log = vscode.window.createOutputChannel("vapcheck", { log: true });
  const server = makeServer(context, log);
  const client = new LanguageClient("vapcheck", "vapcheck", () => server.connect(), {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    outputChannel: log,
    uriConverters: { code2Protocol: nameOf, protocol2Code: uriOf },
  });
  const onFile = async (uri) => {
    await server.put(pathOf(uri), await textOf(uri));
    if (client.isRunning()) client.sendNotification("workspace/didChangeWatchedFiles", { changes: [] });
  };
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  context.subscriptions.push(
    log,
    watcher,
    watcher.onDidCreate(onFile),
    watcher.onDidChange(onFile),
    watcher.onDidDelete(onFile),
    { dispose: () => server.close() },
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("vapcheck") && client.restart()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => client.restart()),
    client,
  );
  return client;
}

export async function activate(context) {
  let client;
  const start = () => {
    client ??= begin(context);
    return client.isRunning() ? Promise.resolve() : client.start();
  };
  const onDocument = (document) => {
    const { languageId } = document;
    if (!client && LANGUAGES.includes(languageId) && KINDS.test(document.getText())) return start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("vapcheck.restart", () => (client ? client.restart() : start())),
    vscode.workspace.onDidOpenTextDocument(onDocument),
    vscode.workspace.onDidChangeTextDocument(({ document }) => onDocument(document)),
  );
  await Promise.all(vscode.workspace.textDocuments.map(onDocument));
}
