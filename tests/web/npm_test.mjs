#!/usr/bin/env node
// npm_test.mjs PACKAGE: the npm package as people run it: on a folder, with standard input, with what it cannot do; and the
// paths of Windows, which Node knows on each system.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, resolve, win32 } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { policyOf } from "./policy.mjs";

const directory = resolve(process.argv[2]);
const { unixPaths } = await import(pathToFileURL(join(directory, "paths.mjs")));
const POLICY = policyOf("gadgets", "object.spec.sise <= 5", "[gadgets]", "[example.com]");
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {plural: gadgets, kind: Gadget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;

function inFolder(test) {
  const folder = mkdtempSync(join(tmpdir(), "vapcheck-npm-"));
  try {
    mkdirSync(join(folder, "crds"));
    writeFileSync(join(folder, "policy.yaml"), POLICY);
    writeFileSync(join(folder, "crds/gadget.yaml"), DEFINITION);
    test((args, options = {}) => {
      const done = spawnSync(process.execPath, [join(directory, "kubectl-vapcheck.mjs"), ...args], { cwd: folder, encoding: "utf8", ...options });
      return { status: done.status, text: done.stdout + done.stderr };
    }, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tests = {
  "the files that it needs are in the package"() {
    const { files, bin } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    const script = readFileSync(join(directory, bin["kubectl-vapcheck"]), "utf8");
    const needed = [...script.matchAll(/"\.\/([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(needed.sort(), ["paths.mjs", "vapcheck.wasm"]);
    for (const name of [...needed, ...files]) assert.ok(files.includes(name) && readFileSync(join(directory, name)).length > 0, name);
  },

  "a folder with definitions: found, corrected, and the statuses"() {
    inFolder((run, folder) => {
      const found = run(["check", "."]);
      assert.equal(found.status, 1);
      assert.match(found.text, /policy\.yaml:13:\d+ .*\n/);
      assert.match(found.text, /no field 'sise' in Gadget/);
      assert.match(run(["check", "policy.yaml"]).text, /not-fully-checked/);
      assert.equal(run(["check", "--fix", "."]).status, 0);
      assert.match(readFileSync(join(folder, "policy.yaml"), "utf8"), /object\.spec\.size <= 5/);
      assert.equal(run(["check", join(folder, "policy.yaml"), "../" + folder.split("/").pop() + "/crds"]).status, 0);
      assert.equal(run(["check", "missing.yaml"]).status, 2);
      assert.equal(run(["check", "--nothing"]).status, 2);
    });
  },

  "standard input is a file"() {
    inFolder((run) => {
      const found = run(["check", "-"], { input: `${POLICY}---\n${DEFINITION}` });
      assert.equal(found.status, 1);
      assert.match(found.text, /stdin:13:/);
    });
  },

  "what has no place here is said"() {
    inFolder((run) => {
      for (const [args, why] of [
        [["check", "--watch", "."], /sees no file change/],
        [["check", "--changed", "."], /starts no program, not even git/],
        [["check", "-k", "."], /starts no program, not even kubectl/],
        [["check", "--cluster"], /asks no cluster/],
        [["status"], /asks no cluster/],
        [["dump", "out"], /asks no cluster/],
      ]) {
        const { status, text } = run(args);
        assert.equal(status, 2, args.join(" "));
        assert.match(text, why);
      }
    });
  },

  "the paths of Windows"() {
    const cwd = "C:\\Users\\ann\\repo";
    const table = {
      "a.yaml": "a.yaml",
      "policies\\a.yaml": "policies/a.yaml",
      "..\\c": "../c",
      "C:\\x\\y z.yaml": "/c/x/y z.yaml",
      "d:/q/w.yaml": "/d/q/w.yaml",
      "\\root.yaml": "/c/root.yaml",
      "\\\\server\\share\\dump": "/server/share/dump",
      "--config=D:\\conf\\x.yaml": "--config=/d/conf/x.yaml",
      "--kube-version=1.30": "--kube-version=1.30",
      "--exclude=a/**": "--exclude=a/**",
      "-": "-",
    };
    const { args, preopens, pwd } = unixPaths(win32, cwd, Object.keys(table));
    assert.deepEqual(args, Object.values(table));
    assert.equal(pwd, "/c/Users/ann/repo");
    assert.deepEqual(preopens, { "/c": "C:\\", "/d": "D:\\", "/server/share": "\\\\server\\share\\" });
    assert.equal(unixPaths(win32, "\\\\server\\Share\\repo", []).pwd, "/server/Share/repo");
    assert.deepEqual(unixPaths(posix, "/w", ["a\\b"]), { args: ["a\\b"], preopens: { "/": "/" }, pwd: "/w" });
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log(`passed: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
process.exitCode = failed ? 1 : 0;
