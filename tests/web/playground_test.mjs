#!/usr/bin/env node
// playground_test.mjs PAGE SHOTS: drives the playground in PAGE in a real headless Chromium, with playwright-core and
// axe-core of the page's own modules, and leaves what it looked like in SHOTS.
//
// Each test has a new page. What holds for all of them: no error in the console (the content security policy reports
// there, too), and no request once the page is loaded.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { require, withPage } from "./browser.mjs";
import { policyOf } from "./policy.mjs";

const [page_directory, shots] = process.argv.slice(2).map((path) => resolve(path));
const WORKER = readFileSync(join(page_directory, "worker.js"), "utf8");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
// Of a machine that does much else.
const PATIENCE_MS = 60000;
const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

const POLICY = (expression, ...rules) => policyOf("typed", expression, ...rules);

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;

// Behind the worker's own script: it counts what the worker is asked, and holds it back from hold() to release().
const HELD = `
const take = onmessage;
const channel = new BroadcastChannel("held");
let held;
onmessage = (event) => {
  channel.postMessage("asked");
  if (held) held.push(event);
  else take(event);
};
channel.onmessage = ({ data }) => {
  const release = data === "release" ? held : [];
  held = data === "hold" ? [] : undefined;
  release.forEach((event) => take(event));
  channel.postMessage("done");
};
`;

class Page {
  static async open(browser, origin, { fragment = "", behind, missing, viewport = { width: 1280, height: 900 }, ...options } = {}) {
    const self = new Page();
    self.context = await browser.newContext({ viewport, permissions: ["clipboard-read", "clipboard-write"], ...options });
    self.page = await self.context.newPage();
    self.page.setDefaultTimeout(PATIENCE_MS);
    if (behind) {
      const answer = { contentType: "text/javascript", body: WORKER + behind };
      await self.page.addInitScript(() => {
        globalThis.asked = 0;
        globalThis.held = new BroadcastChannel("held");
        globalThis.held.addEventListener("message", ({ data }) => (globalThis.asked += data === "asked" ? 1 : 0));
      });
      await self.page.route("**/worker.js", (route) => route.fulfill(answer));
    }
    if (missing) await self.page.route(missing, () => {});
    self.problems = [];
    self.isLoaded = false;
    self.page.on("console", (message) => message.type() === "error" && self.problems.push(message.text()));
    self.page.on("pageerror", (error) => self.problems.push(error.message));
    self.page.on("request", (request) => {
      // A new thread of the checker loads its own script again.
      if (self.isLoaded && !request.url().endsWith("/worker.js")) self.problems.push(`request ${request.url()}`);
    });
    await self.page.goto(`${origin}/${fragment}`, { waitUntil: "commit" });
    if (!missing) await self.settled();
    self.isLoaded = !missing;
    return self;
  }

  settled() {
    return this.page.waitForFunction(() => {
      const hasEditor = ({ shadowRoot }) => shadowRoot?.querySelector(".cm-content");
      return document.querySelector("#findings li") && Array.from(document.querySelectorAll(".editor")).every(hasEditor);
    });
  }

  findings() {
    return this.page.locator("#findings li").allInnerTexts();
  }

  async waitForFinding(text) {
    await this.page.locator("#findings li", { hasText: text }).first().waitFor();
  }

  // All of the editor's text is replaced by what is pasted.
  async type(editor, text) {
    await this.page.locator(`#${editor} .cm-content`).click();
    await this.page.keyboard.press("Control+a");
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.keyboard.press("Control+v");
  }

  // "hold" or "release" the worker's work.
  tell(what) {
    return this.page.evaluate(
      (message) =>
        new Promise((resolve) => {
          const { held } = globalThis;
          const onDone = ({ data }) => data === "done" && (held.removeEventListener("message", onDone), resolve());
          held.addEventListener("message", onDone);
          held.postMessage(message);
        }),
      what,
    );
  }

  asked() {
    return this.page.evaluate(() => globalThis.asked);
  }

  // The lines that are on the screen.
  text(editor) {
    return this.page
      .locator(`#${editor} .cm-content`)
      .evaluate((content) => Array.from(content.querySelectorAll(".cm-line"), (line) => line.textContent).join("\n"));
  }

  async close() {
    await this.context.close();
    assert.deepEqual(this.problems, []);
  }
}

// In the page: the numbers of an editor stand beside their lines. It is measured once a reader sees it.
const isMeasured = (editor) => {
  const { shadowRoot } = document.getElementById(editor);
  const topOf = (element) => Math.round(element.getBoundingClientRect().top);
  const tops = (selector) => Array.from(shadowRoot.querySelectorAll(selector), topOf);
  // The first element is as wide as the widest number, and hidden.
  const numbers = tops(".cm-lineNumbers .cm-gutterElement").slice(1);
  return numbers.length > 0 && numbers.every((top, index) => top === tops(".cm-line")[index]);
};

const tests = {
  async "the text and its finding are there before the editors"(open) {
    const p = await open({ missing: "**/editor.js" });
    await p.waitForFinding("undefined-field");
    assert.match(await p.page.innerText("#policy pre"), /object\.replicas <= 5/);
    await p.page.locator("#findings button.fix").waitFor();
    await p.close();
  },

  async "each mistake of the README is an example with its finding"(open) {
    // An expression of several lines has its key, and a line break between the lines.
    const linesOf = (cell) => cell.replaceAll("\\|", "|").split("`<br>`").filter((line) => !line.startsWith("expression:"));
    const rows = [...README.matchAll(/^\| `(.+?)` \| \[([a-z-]+)\]/gm)].map(([, cell, id]) => [linesOf(cell), id]);
    const p = await open();
    assert.ok(rows.length >= 10);
    for (const [lines, id] of rows) {
      const parts = lines.map((line) => line.trim());
      await p.page.selectOption("#example", { label: parts.join(" ") });
      await p.page.locator("#findings li a", { hasText: new RegExp(`^${id}$`) }).first().waitFor();
      const text = await p.text("policy");
      for (const part of parts) assert.ok(text.includes(part), part);
    }
    await p.close();
  },

  async "the fix of a finding changes the text, and nothing is found then"(open) {
    const p = await open();
    await p.type("policy", POLICY("object.spec.replica <= 5"));
    await p.waitForFinding("undefined-field");
    await p.page.locator("#findings button.fix").first().click();
    await p.waitForFinding("No findings.");
    assert.match(await p.text("policy"), /object\.spec\.replicas <= 5/);
    await p.close();
  },

  async "a definition types a custom resource"(open) {
    const p = await open();
    await p.page.selectOption("#example", { index: 11 });
    await p.waitForFinding("retention");
    await p.type("policy", POLICY("\"!has(object.spec) || object.spec.schedule != ''\"", "[backups]", "[example.com]"));
    await p.waitForFinding("No findings.");
    await p.close();
  },

  async "hover and completion know the types"(open) {
    const p = await open({ behind: HELD });
    await p.type("policy", POLICY("object.spec.replicas <= 5"));
    await p.waitForFinding("No findings.");
    await p.page.locator("#policy .cm-line", { hasText: "replicas" }).getByText("replicas").last().hover();
    await p.page.locator("#policy .cm-tooltip-hover", { hasText: "int" }).waitFor();
    await p.type("policy", POLICY("object.spec.").trimEnd());
    await p.page.keyboard.press("Control+End");
    await p.page.keyboard.press("Control+Space");
    await p.page.locator("#policy .cm-tooltip-autocomplete", { hasText: "replicas" }).waitFor();
    await p.page.mouse.move(0, 0);
    await p.page.waitForTimeout(500);
    const asked = await p.asked();
    await p.page.waitForTimeout(500);
    assert.equal(await p.asked(), asked, "an open list asks nothing");
    await p.close();
  },

  async "what is typed while the checker works is checked together, and findings keep their place"(open) {
    const p = await open({ behind: HELD });
    await p.type("policy", POLICY("object.spec.replicas <= 5"));
    await p.page.mouse.move(0, 0); // What is under the mouse would be asked for, too.
    await p.waitForFinding("No findings.");
    await p.tell("hold");
    const before = await p.asked();
    await p.page.keyboard.press("Control+End");
    await p.page.keyboard.press("ArrowUp");
    await p.page.keyboard.press("End");
    await p.page.keyboard.insertText(" && object.spec.replica > 1");
    await p.page.keyboard.type("234");
    await p.page.keyboard.press("Control+Home");
    await p.page.keyboard.type("# 1\n# 2\n");
    assert.equal(await p.asked(), before + 1, "one is asked, and the others wait for its answer");
    await p.tell("release");
    await p.waitForFinding("undefined-field");
    await p.page.locator("#findings li button", { hasText: "line 15" }).waitFor();
    assert.deepEqual(await p.page.locator("#policy .cm-lintRange").allInnerTexts(), ["replica"]);
    assert.equal(await p.asked(), before + 2);
    await p.close();
  },

  async "another version, and two side by side"(open) {
    const p = await open();
    await p.type("policy", POLICY("ip('1.2.3.4').family() == 4"));
    await p.waitForFinding("No findings.");
    await p.page.selectOption("#second", "1.30");
    await p.page.locator("#other-findings li", { hasText: "CEL has no function 'ip'" }).waitFor();
    assert.deepEqual(await p.findings(), ["No findings."]);
    await p.page.selectOption("#version", "1.30");
    await p.waitForFinding("refused");
    assert.equal(await p.page.locator("#other").isVisible(), false);
    await p.close();
  },

  async "a decision, with the values of its parts"(open) {
    const p = await open();
    await p.type("policy", POLICY("object.spec.replicas <= 5"));
    await p.waitForFinding("No findings.");
    await p.page.click("#decide");
    await p.page.locator("#decision .deny").waitFor();
    assert.match(await p.page.innerText("#decision"), /object\.spec\.replicas\s+7/);
    assert.match(await p.page.innerText("#decision"), /Cost: \d+ of 10,000,000/);
    await p.type("object", DEPLOYMENT);
    await p.page.click("#decide");
    await p.page.locator("#decision .admit").waitFor();
    await p.close();
  },

  async "a decision after an error names the reason, and no other tool"(open) {
    const p = await open();
    await p.page.click("#decide");
    await p.page.locator("#decision .deny").waitFor();
    const text = await p.page.innerText("#decision");
    assert.match(text, /no such key: replicas/);
    assert.match(text, /the evaluation ends in an error, and the API server then denies the request \(failurePolicy: Fail\)$/);
    assert.doesNotMatch(text, /\bkat\b|kaptest/);
    await p.close();
  },

  async "a link holds everything, also of a policy of 20 KB"(open) {
    const p = await open();
    const long = POLICY("object.spec.replica <= 5") + Array.from({ length: 600 }, (_, i) => `# ${i} ${(i * 7919) % 104729} a comment of the author\n`).join("");
    assert.ok(long.length > 20000);
    await p.type("policy", long);
    await p.page.selectOption("#version", "1.33");
    await p.waitForFinding("undefined-field");
    await p.page.click("#share");
    await p.page.locator("#status", { hasText: "copied" }).waitFor();
    const link = await p.page.evaluate(() => navigator.clipboard.readText());
    await p.close();
    const other = await open({ fragment: new URL(link).hash });
    await other.waitForFinding("undefined-field");
    assert.equal(await other.page.inputValue("#version"), "1.33");
    await other.page.locator("#policy .cm-content").click();
    await other.page.keyboard.press("Control+End");
    assert.match(await other.text("policy"), /# 599 /);
    // The same page takes another link, with its version.
    await other.page.evaluate(() => (location.hash = "broken"));
    await other.page.locator("#status", { hasText: "not complete" }).waitFor();
    await other.page.selectOption("#version", "1.34");
    await other.page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
    await other.page.waitForFunction(() => document.getElementById("version").value === "1.33");
    await other.close();
    const broken = await open({ fragment: "#broken" });
    assert.match(await broken.page.innerText("#status"), /not complete/);
    await broken.close();
  },

  async "the command for the same check is copied"(open) {
    const p = await open();
    await p.page.selectOption("#second", "1.36");
    await p.page.click("#command");
    await p.page.locator("#status", { hasText: "copied" }).waitFor();
    const text = await p.page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /^kubectl-vapcheck check --kube-version 1\.\d+,1\.36 policy\.yaml$/);
    await p.close();
  },

  async "hostile texts leave the page alive"(open) {
    const p = await open();
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${Array.from("bcdefghij", (c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefghij"[i]}`)}]\n`).join("")}`;
    const nested = POLICY(`'${"(".repeat(20000)}1${")".repeat(20000)} == 1'`);
    const large = POLICY("object.spec.replicas <= 5") + "# x\n".repeat(260000);
    for (const text of [bomb, nested, large]) {
      await p.type("policy", text);
      await p.page.waitForTimeout(500);
      await p.type("policy", POLICY("object.spec.replica <= 5"));
      await p.waitForFinding("undefined-field");
    }
    await p.close();
  },

  async "a checker that does not come back is ended, and that is said"(open) {
    const endless = `const take = onmessage; onmessage = (event) => { while (/endless/.test(event.data.texts)); take(event); };`;
    const p = await open({ behind: endless });
    await p.type("policy", "# endless");
    await p.page.locator("#status", { hasText: "was ended" }).waitFor();
    await p.type("policy", POLICY("object.spec.replica <= 5"));
    await p.waitForFinding("undefined-field");
    await p.close();
  },

  async "everything works with the keyboard alone"(open) {
    const p = await open();
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
      await p.page.keyboard.press("Escape"); // an editor takes Tab until Escape
      await p.page.keyboard.press("Tab");
      reached.add(await p.page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName));
    }
    for (const id of ["example", "version", "second", "share", "command", "policy", "types", "object", "decide", "fix"])
      assert.ok(reached.has(id), `${id} in ${[...reached]}`);
    assert.equal(await p.page.textContent("#summary"), "1 error");
    await p.page.locator("#findings button.fix").first().focus();
    await p.page.keyboard.press("Enter");
    await p.waitForFinding("No findings.");
    assert.equal(await p.page.textContent("#summary"), "No findings");
    await p.close();
  },

  async "axe finds no violation, in light and in dark"(open) {
    for (const colorScheme of ["light", "dark"]) {
      const p = await open({ colorScheme });
      await p.page.click("#decide");
      await p.page.locator("#decision table, #decision pre").first().waitFor();
      await p.page.evaluate(AXE);
      const { violations } = await p.page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
      await p.page.screenshot({ path: join(shots, `desktop-${colorScheme}.png`), fullPage: true });
      await p.close();
    }
  },

  async "a phone shows it without scrolling sideways, and without the keys of a keyboard"(open) {
    const p = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    assert.ok(await p.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal(await p.page.locator(".keys").isVisible(), false);
    for (const editor of ["policy", "types", "object"]) {
      await p.page.locator(`#${editor}`).scrollIntoViewIfNeeded();
      await p.page.waitForFunction(isMeasured, editor);
    }
    // A picture of the full page would be one of a desktop.
    await p.page.setViewportSize({ width: 390, height: await p.page.evaluate(() => document.documentElement.scrollHeight) });
    await p.page.screenshot({ path: join(shots, "phone.png") });
    await p.close();
  },
};

async function runAll(browser, origin) {
  const open = (options) => Page.open(browser, origin, options);
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    const begun = performance.now();
    try {
      await test(open);
      console.log(`passed (${((performance.now() - begun) / 1000).toFixed(1)} s): ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED: ${name}\n${error.stack}`);
    }
  }
  return failed;
}

async function main() {
  mkdirSync(shots, { recursive: true });
  const failed = await withPage(page_directory, runAll);
  console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}

await main();
