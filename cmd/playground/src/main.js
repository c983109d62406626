// The playground: three texts, what the checker finds in them, and what an API server would decide.
//
// The checker is loaded and asked before the editors are there; they are made when it has answered.
import { Checker } from "../../wasm/checker.mjs";
import { makeDecision } from "./decision.js";
import { element, make } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { FindingList, summaryOf } from "./findings.js";
import { Session } from "./session.js";
import { decode, encode } from "./share.js";
import { VERSIONS } from "vapcheck-versions";

// index.html has begun with both.
const { wasm, thread } = globalThis.begun;
let unused = thread;

function spawn() {
  const worker = unused ?? new Worker("worker.js", { type: "module" });
  unused = undefined;
  return worker;
}

// about: "checker" for what is no longer so when the checker answers.
function say(text, about = "") {
  const status = element("status");
  status.textContent = text;
  status.dataset.about = about;
}

const report = (error) => say(String(error));

const LABELS = { policy: "Policy", types: "CustomResourceDefinitions", object: "Object of a request" };
// A policy is checked with the types before it.
const CHECKED = ["types", "policy"];

const editors = {};
// The texts, as long as there are no editors.
const texts = { policy: "", types: "", object: "" };
const textOf = (name) => editors[name]?.text ?? texts[name];

function state() {
  return {
    policy: textOf("policy"),
    types: textOf("types"),
    object: textOf("object"),
    version: element("version").value,
    second: element("second").value,
  };
}

/* ---- what is found: with one version, and with a second one beside it ---- */

const reveal = ({ name, finding, snapshot }) => editors[name]?.reveal(finding.range, snapshot);
const apply = ({ name, snapshot }, { edits }) => editors[name]?.edit(edits, snapshot);

// Each side has a checker of its own, so that neither waits for the other.
class Side {
  constructor(id, onFound) {
    this.list = new FindingList(element(id), { reveal, apply });
    this.onFound = onFound;
    this.found = new Map();
    this.checker = new Checker(wasm, spawn, (why) => {
      this.session = undefined;
      say(`The checker was ended: ${why}. It begins again with the next change.`, "checker");
    });
  }

  open(version) {
    this.version = version;
    this.found.clear();
    this.session = new Session(this.checker, {
      version,
      texts: Object.fromEntries(CHECKED.map((name) => [name, textOf(name)])),
      takeSnapshot: (name) => editors[name]?.takeSnapshot(),
      onFindings: (name, findings, snapshot) => this.#take(name, findings, snapshot),
    });
  }

  close() {
    this.checker.close();
    this.version = this.session = undefined;
  }

  change(name, edits) {
    if (this.session) this.session.change(name, edits);
    else if (this.version) this.open(this.version);
  }

  all() {
    return ["policy", "types"].flatMap((name) => this.found.get(name) ?? []);
  }

  #take(name, findings, snapshot) {
    this.found.set(name, findings.map((finding) => ({ name, finding, snapshot })));
    this.list.show(this.all());
    this.onFound(name);
  }
}

const first = new Side("findings", (name) => {
  if (element("status").dataset.about === "checker") say("");
  element("summary").textContent = summaryOf(first.all());
  editors[name]?.show(first.found.get(name), apply);
});
const second = new Side("other-findings", () => {});

function openSecond() {
  const { version, second: other } = state();
  const isShown = other !== "" && other !== version;
  element("findings-title").textContent = isShown ? `Findings with Kubernetes ${version}` : "Findings";
  element("other").hidden = !isShown;
  element("other-title").textContent = `Findings with Kubernetes ${other}`;
  if (isShown) second.open(other);
  else second.close();
}

function openSides() {
  first.open(element("version").value);
  openSecond();
}

/* ---- a decision ---- */

async function decide() {
  const { policy, types, object, version } = state();
  const files = {
    "suite/policy.yaml": policy,
    "suite/tests/request.object.yaml": object,
    ...(types.trim() && { "suite/crd.yaml": types }),
  };
  const args = ["test", "-v", "-o", "json", "--kube-version", version, "suite"];
  const { output, errors } = await first.checker.ask({ kind: "command", args, files });
  try {
    const [test] = JSON.parse(output).tests;
    if (test) return element("decision").replaceChildren(...makeDecision(test));
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
  history.replaceState(null, "", `#${await encode(state())}`);
  await copy(location.href, "The link");
}

function command() {
  const { version, second: other, types } = state();
  const versions = other && other !== version ? `${version},${other}` : version;
  return copy(`kubectl-vapcheck check --kube-version ${versions} policy.yaml${types.trim() ? " types.yaml" : ""}`, "The command");
}

/* ---- the page ---- */

function onEdits(name, edits) {
  if (!CHECKED.includes(name)) return;
  first.change(name, edits);
  second.change(name, edits);
}

function setText(name, text) {
  if (editors[name]) {
    editors[name].text = text;
  } else {
    texts[name] = text;
    element(name).replaceChildren(make("pre", text));
    onEdits(name, [{ text }]);
  }
}

function take({ policy = "", types = "", object = "", version, second: other }) {
  setText("types", types);
  setText("policy", policy);
  setText("object", object);
  if (version) element("version").value = version;
  if (other !== undefined) element("second").value = other;
}

async function takeFragment() {
  const shared = location.hash.length > 1 ? await decode(location.hash.slice(1)) : null;
  if (shared) take(shared);
  else if (location.hash.length > 1) say("The link is not complete.");
  return shared !== null;
}

function fillSelects() {
  EXAMPLES.forEach(({ name }, index) => element("example").append(new Option(name, String(index))));
  for (const { name, isDefault } of VERSIONS) {
    element("version").append(new Option(name, name, isDefault, isDefault));
    element("second").append(new Option(name, name));
  }
}

function listen() {
  element("example").onchange = ({ target }) => {
    if (target.value !== "") take(EXAMPLES[Number(target.value)]);
  };
  element("version").onchange = openSides;
  element("second").onchange = openSecond;
  element("share").onclick = () => share().catch(report);
  element("command").onclick = () => command().catch(report);
  element("decide").onclick = () => decide().catch(report);
  onhashchange = async () => (await takeFragment()) && openSides();
}

function addEditor(makeEditor, name) {
  const ask = CHECKED.includes(name) && ((method, params) => first.session?.ask(method, name, params).catch(() => null));
  const onChange = (edits) => onEdits(name, edits);
  element(name).replaceChildren();
  editors[name] = makeEditor(element(name), { label: LABELS[name], text: texts[name], onChange, ask });
  editors[name].show(first.found.get(name) ?? [], apply);
}

// Resolves when what the page shows now is on the screen.
const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

// Before the first answer, the machine belongs to the checker.
async function makeEditors() {
  await first.session.answered;
  await shown();
  const { makeEditor } = await import("./editor.js");
  for (const name of Object.keys(LABELS)) {
    addEditor(makeEditor, name);
    await shown();
  }
}

async function main() {
  wasm.catch((error) => say(`The checker cannot be loaded: ${error.message}`));
  say("The checker is loading.", "checker");
  fillSelects();
  if (!(await takeFragment())) take(EXAMPLES[0]);
  openSides();
  listen();
  await makeEditors();
}

main().catch(report);
