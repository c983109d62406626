// The page in a real headless Chromium, served on the loopback: for the tests, and for the measurements.
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const pathOf = (name) => new URL(`../../cmd/${name}`, import.meta.url).pathname;
const modules = execFileSync(pathOf("wasm/modules"), [pathOf("playground")], { encoding: "utf8" }).trim();

// The page's own modules have what drives the browser.
export const require = createRequire(join(modules, "index.js"));

// The files of the directory, as a server of static pages sends them.
function serve(directory) {
  const server = createServer((request, answer) => {
    const path = join(directory, request.url === "/" ? "index.html" : request.url);
    try {
      const content = readFileSync(path);
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      answer.writeHead(200, { "content-type": type, "cache-control": "max-age=600" }).end(content);
    } catch {
      answer.writeHead(404).end();
    }
  });
  return new Promise((resolved) => server.listen(0, "127.0.0.1", () => resolved(server)));
}

// use(browser, origin), and what it returns.
export async function withPage(directory, use) {
  const { chromium } = require("playwright-core");
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  const server = await serve(directory);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    return await use(browser, `http://127.0.0.1:${server.address().port}`);
  } finally {
    await browser.close();
    server.close();
  }
}
