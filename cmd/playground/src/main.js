// The playground: three texts, what the checker finds in them, and what an API server would decide.
import { LSPClient } from "@codemirror/lsp-client";
import { Checker } from "../../wasm/checker.mjs";
import { makeEditor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { decode, encode } from "./share.js";
import { VERSIONS } from "vapcheck-versions";

const FINDINGS = "https://github.com/vapcheck/vapcheck/blob/main/cmd/kubectl-vapcheck/FINDINGS.md#";
const URIS = { policy: "file:///project/policy.yaml", types: "file:///project/types.yaml" };
// A keystroke is checked when the next one does not follow at once.
const TYPING_MS = 30;
const SEVERITY = { 1: "error", 2: "warning", 3: "info", 4: "hint" };
const WORDS = { error: "error", warning: "warning", info: "advice", hint: "note" };

const element = (id) => document.getElementById(id);
const say = (text) => (element("status").textContent = text);

let checker;
let client;
let syncTimer;
let haveTypesChanged = false;
const editors = {};
const published = { policy: [], types: [] };

function make(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function state() {
  return {
    policy: editors.policy.text,
    types: editors.types.text,
    object: editors.object.text,
    version: element("version").value,
    second: element("second").value,
  };
}

function files() {
  const { policy, types } = state();
  return { "policy.yaml": policy, ...(types.trim() && { "types.yaml": types }) };
}

/* ---- findings ---- */

function applyFix(fix) {
  for (const [name, uri] of Object.entries(URIS)) {
    const edits = fix.edit?.changes?.[uri];
    if (edits) editors[name].edit(edits);
  }
}

function showFindings() {
  const items = Object.entries(published).flatMap(([name, list]) => list.map((finding) => ({ name, finding })));
  element("findings").replaceChildren(
    ...items.map(({ name, finding }) => {
      const severity = SEVERITY[finding.severity] ?? "info";
      const item = make("li", undefined, severity);
      const head = make("p");
      const place = make("button", `line ${finding.range.start.line + 1}`);
      place.type = "button";
      place.onclick = () => editors[name].reveal(finding.range);
      const link = make("a", finding.code);
      link.href = finding.codeDescription?.href ?? FINDINGS + finding.code;
      link.rel = "noreferrer";
      link.target = "_blank";
      head.append(make("span", WORDS[severity], "severity"), " ", link, " ", place);
      item.append(head, make("p", finding.message));
      for (const fix of finding.fixes) {
        const button = make("button", fix.title, "fix");
        button.type = "button";
        button.onclick = () => applyFix(fix);
        item.append(button);
      }
      return item;
    }),
  );
  if (items.length === 0) element("findings").append(make("li", "No findings."));
}

// The code actions of each diagnostic; those that only suppress it are for files, not for a page.
async function withFixes(uri, diagnostics) {
  return Promise.all(
    diagnostics.map(async (diagnostic) => {
      const context = { diagnostics: [diagnostic] };
      const params = { textDocument: { uri }, range: diagnostic.range, context };
      const actions = (await client.request("textDocument/codeAction", params)) ?? [];
      return { ...diagnostic, fixes: actions.filter((action) => action.edit && !/ignore/i.test(action.title)) };
    }),
  );
}

async function onDiagnostics({ uri, diagnostics }) {
  const name = Object.keys(URIS).find((one) => URIS[one] === uri);
  const asked = client;
  if (!name) return;
  const findings = await withFixes(uri, diagnostics);
  if (asked !== client) return;
  published[name] = findings;
  if (findings.length > 0) performance.mark("vapcheck-finding");
  editors[name].show(findings, applyFix);
  showFindings();
}

async function showSecondVersion() {
  const { second, version } = state();
  const isShown = second !== "" && second !== version;
  element("other").hidden = !isShown;
  if (!isShown) return;
  element("other-title").textContent = `Kubernetes ${second}`;
  const args = ["check", "--fail-on=never", "--kube-version", second, "."];
  const { output, errors } = await checker.ask({ kind: "command", args, files: files() });
  element("other-text").textContent = output + errors;
}

function onTypes() {
  haveTypesChanged = true;
  onText();
}

function onText() {
  clearTimeout(syncTimer);
  syncTimer = setTimeout(() => {
    client?.sync();
    // What a definition says counts for other documents when it is saved.
    if (haveTypesChanged) client?.notification("textDocument/didSave", { textDocument: { uri: URIS.types } });
    haveTypesChanged = false;
    showSecondVersion().catch(() => {});
  }, TYPING_MS);
}

/* ---- the language server ---- */

function transport() {
  const handlers = new Set();
  return {
    send(text) {
      checker
        .ask({ kind: "message", text })
        .then(({ messages }) => messages.forEach((message) => handlers.forEach((handler) => handler(message))))
        .catch(() => {});
    },
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
  };
}

async function connect() {
  const version = element("version").value;
  client?.disconnect();
  for (const name of Object.keys(URIS)) {
    editors[name].connect(null);
    published[name] = [];
  }
  await checker.open(["--kube-version", version], {});
  client = new LSPClient({
    rootUri: "file:///project",
    notificationHandlers: {
      "textDocument/publishDiagnostics": (_, params) => {
        onDiagnostics(params).catch(() => {});
        return true;
      },
    },
  }).connect(transport());
  await client.initializing;
  for (const [name, uri] of Object.entries(URIS)) editors[name].connect(client, uri);
  await showSecondVersion();
}

/* ---- a decision ---- */

function cell(tag, text) {
  return make(tag, text);
}

// "23 of 10,000,000 that an API server allows", and of the match conditions where there are any.
function costOf({ expressions, expressionsLimit, matchConditions, matchConditionsLimit }) {
  const share = (cost, limit) => `${cost.toLocaleString("en")} of ${limit.toLocaleString("en")}`;
  const conditions = matchConditions > 0 ? `, match conditions ${share(matchConditions, matchConditionsLimit)}` : "";
  return `Cost: ${share(expressions, expressionsLimit)}${conditions}`;
}

function showDecision(test) {
  const table = make("table");
  const head = make("tr");
  head.append(...["Part", "Value", "Message"].map((title) => cell("th", title)));
  table.append(head);
  for (const expression of test.expressions) {
    const row = make("tr");
    const value = expression.error ?? String(expression.value);
    row.append(cell("td", expression.expression), cell("td", value), cell("td", expression.message ?? ""));
    table.append(row);
    for (const part of expression.values) {
      const inner = make("tr");
      inner.append(cell("td", `· ${part.expression}`), cell("td", part.error ?? part.value), cell("td"));
      table.append(inner);
    }
  }
  const isAdmitted = ["admit", "allow"].includes(test.actual);
  element("decision").replaceChildren(
    make("p", `The API server's decision: ${test.actual}`, isAdmitted ? "admit" : "deny"),
    table,
    make("p", costOf(test.cost)),
    ...test.notes.map((note) => make("p", note)),
  );
}

async function decide() {
  const { policy, types, object, version } = state();
  const suite = {
    "suite/policy.yaml": policy,
    "suite/tests/request.object.yaml": object,
    ...(types.trim() && { "suite/crd.yaml": types }),
  };
  const args = ["test", "-v", "-o", "json", "--kube-version", version, "suite"];
  const { output, errors } = await checker.ask({ kind: "command", args, files: suite });
  try {
    const [test] = JSON.parse(output).tests;
    if (test) return showDecision(test);
  } catch {
    // What is no JSON is shown below, as it is.
  }
  element("decision").replaceChildren(make("pre", errors + output));
}

/* ---- sharing ---- */

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} is copied.`);
  } catch {
    say(`${what}: ${text}`);
  }
}

async function share() {
  location.hash = await encode(state());
  await copy(location.href, "The link");
}

function command() {
  const { version, second, types } = state();
  const versions = second && second !== version ? `${version},${second}` : version;
  return copy(`kubectl-vapcheck check --kube-version ${versions} policy.yaml${types.trim() ? " types.yaml" : ""}`, "The command");
}

/* ---- the page ---- */

function fillSelects() {
  EXAMPLES.forEach(({ name }, index) => element("example").append(new Option(name, String(index))));
  for (const { name, isDefault } of VERSIONS) {
    element("version").append(new Option(name, name, isDefault, isDefault));
    element("second").append(new Option(name, name));
  }
}

function take({ policy = "", types = "", object = "", version, second }) {
  editors.policy.text = policy;
  editors.types.text = types;
  editors.object.text = object;
  if (version) element("version").value = version;
  if (second !== undefined) element("second").value = second;
}

async function takeFragment() {
  const shared = location.hash.length > 1 ? await decode(location.hash.slice(1)) : null;
  if (shared) take(shared);
  else if (location.hash.length > 1) say("The link is not complete.");
  return shared !== null;
}

async function main() {
  performance.mark("vapcheck-begun");
  say("The checker is loading.");
  fillSelects();
  editors.policy = makeEditor(element("policy"), { label: "Policy", text: "", onChange: onText });
  editors.types = makeEditor(element("types"), { label: "CustomResourceDefinitions", text: "", onChange: onTypes });
  editors.object = makeEditor(element("object"), { label: "Object of a request", text: "", onChange: () => {} });
  if (!(await takeFragment())) take(EXAMPLES[0]);
  const wasm = await WebAssembly.compileStreaming(fetch("vapcheck.wasm"));
  const spawn = () => new Worker("worker.js", { type: "module" });
  checker = new Checker(wasm, spawn, (why) => {
    say(why);
    connect().catch((error) => say(String(error)));
  });
  element("example").onchange = ({ target }) => {
    if (target.value !== "") take(EXAMPLES[Number(target.value)]);
  };
  element("version").onchange = () => connect().catch((error) => say(String(error)));
  element("second").onchange = () => showSecondVersion().catch((error) => say(String(error)));
  element("share").onclick = share;
  element("command").onclick = command;
  element("decide").onclick = () => decide().catch((error) => say(String(error)));
  onhashchange = takeFragment;
  await connect();
  say("");
}

main().catch((error) => say(String(error)));
