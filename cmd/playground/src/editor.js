// An editor: YAML, the language server's findings, hover and completion, and the fixes as actions.
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

// The page's colours, which follow light and dark.
const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--link)" },
    { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--text)" },
    { tag: [tags.keyword, tags.meta, tags.typeName, tags.labelName, tags.special(tags.string)], color: "var(--warning)" },
    { tag: [tags.comment, tags.lineComment], color: "var(--line)" },
  ]),
);
const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--ground)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { color: "var(--text)", backgroundColor: "var(--raised)", borderRightColor: "var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selected)",
  },
  ".cm-tooltip, .cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)" },
  ".cm-hover": { padding: "0.25rem 0.5rem", maxWidth: "36rem", whiteSpace: "pre-wrap", fontFamily: "ui-monospace, monospace" },
});

// DiagnosticSeverity and CompletionItemKind of LSP 3.17
const SEVERITY = { 1: "error", 2: "warning", 3: "info", 4: "hint" };
const KIND = { 3: "function", 5: "property", 6: "variable", 14: "keyword" };

/* ---- places: offsets here, lines and UTF-16 units in LSP ---- */

function offsetOf(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

function positionOf(doc, offset) {
  const { number, from } = doc.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

// A snapshot is a text as it was, {doc}, and once it has changed, {doc, changes, next}: how, and the snapshot after that.
function offsetNow(snapshot, position) {
  let offset = offsetOf(snapshot.doc, position);
  for (let at = snapshot; at.changes; at = at.next) offset = at.changes.mapPos(offset);
  return offset;
}

// The changes as contentChanges of LSP: the last one first, so that none moves the places of another.
function editsOf({ changes, startState: { doc } }) {
  const edits = [];
  changes.iterChanges((from, to, _from, _to, inserted) => {
    edits.unshift({ range: { start: positionOf(doc, from), end: positionOf(doc, to) }, text: inserted.toString() });
  });
  return edits;
}

/* ---- questions to the server ---- */

const completion = (ask) => async (context) => {
  const { state, pos } = context;
  const before = state.sliceDoc(Math.max(0, pos - 1), pos);
  if (!context.explicit && !/[A-Za-z_.]/.test(before)) return null;
  const items = await ask("textDocument/completion", { position: positionOf(state.doc, pos) });
  if (!items?.length) return null;
  return {
    from: offsetOf(state.doc, items[0].textEdit.range.start),
    options: items.map(({ label, kind, detail }) => ({ label, detail, type: KIND[kind] })),
    validFor: /^\w*$/,
  };
};

const hover = (ask) => async (view, pos) => {
  const { doc } = view.state;
  const answer = await ask("textDocument/hover", { position: positionOf(doc, pos) });
  if (!answer || view.state.doc !== doc) return null;
  const dom = document.createElement("div");
  dom.className = "cm-hover";
  dom.textContent = answer.contents.value;
  const { start, end } = answer.range;
  return { pos: offsetOf(doc, start), end: offsetOf(doc, end), above: true, create: () => ({ dom }) };
};

/* ---- the editor ---- */

// onChange(edits): contentChanges of LSP. ask(method, params): a question about the text as it is now; null: there is
// no server for it.
export function makeEditor(parent, { label, text, onChange, ask }) {
  // Shadow DOM: there CodeMirror's styles are objects, which a strict content security policy allows.
  const root = parent.attachShadow({ mode: "open" });
  let latest;
  const onUpdate = (update) => {
    if (!update.docChanged) return;
    const next = { doc: update.state.doc };
    Object.assign(latest, { changes: update.changes, next });
    latest = next;
    onChange(editsOf(update));
  };
  // The same one each time that it is asked for: another one would be asked again.
  const data = [{ autocomplete: ask && completion(ask) }];
  const server = ask ? [EditorState.languageData.of(() => data), hoverTooltip(hover(ask))] : [];
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        yaml(),
        lintGutter(),
        keymap.of([indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-description": "Escape and then Tab leaves the editor." }),
        COLOURS,
        THEME,
        EditorView.updateListener.of(onUpdate),
        server,
      ],
    }),
  });
  // What scrolls can be reached with the keyboard.
  view.scrollDOM.tabIndex = 0;
  const first = { doc: view.state.doc };
  latest = first;
  // Where a range of the snapshot is now; without one, of the text from the beginning.
  const rangeNow = (snapshot = first, { start, end }) => ({ from: offsetNow(snapshot, start), to: offsetNow(snapshot, end) });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    takeSnapshot: () => latest,
    // found: {finding, snapshot} of this text, the finding a diagnostic of LSP with `fixes`.
    show(found, applyFix) {
      const diagnostics = found.map((one) => ({
        ...rangeNow(one.snapshot, one.finding.range),
        severity: SEVERITY[one.finding.severity] ?? "info",
        source: one.finding.code,
        message: one.finding.message,
        actions: one.finding.fixes.map((fix) => ({ name: fix.title, apply: () => applyFix(one, fix) })),
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    edit(edits, snapshot) {
      view.dispatch({ changes: edits.map(({ range, newText }) => ({ ...rangeNow(snapshot, range), insert: newText })) });
    },
    reveal(range, snapshot) {
      view.dispatch({ selection: { anchor: rangeNow(snapshot, range).from }, scrollIntoView: true });
      view.focus();
    },
  };
}
