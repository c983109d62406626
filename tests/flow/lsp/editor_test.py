#!/usr/bin/env python3
"""kubectl-vapcheck lsp in a real editor: Neovim without a screen, configured as MANUAL.md says."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import offline

ROOT = pathlib.Path(__file__).resolve().parents[3]
SECONDS = 60
POLICY = offline.HEAD + "  validations:\n  - expression: object.spec.replica < 5\n"

# What a user does; each answer becomes a line of JSON.
SCRIPT = """
local out = io.open("answers", "w")
local function say(value) out:write(vim.fn.json_encode(value) .. "\\n"); out:flush() end
local function wait(what) assert(vim.wait(30000, what, 20), "nothing came") end
local function ask(method, column)
  local params = vim.lsp.util.make_position_params()
  params.position.character = column or params.position.character
  return select(2, next(vim.lsp.buf_request_sync(0, method, params, 30000))).result
end
local function go()
  wait(function() return #vim.diagnostic.get(0) == 1 end)
  say(vim.diagnostic.get(0)[1])
  vim.fn.search("spec.replica <")
  say(ask("textDocument/hover"))
  vim.cmd([[silent %s/object.*$/object.spec./]])
  say(ask("textDocument/completion", #vim.fn.getline(".")))
  vim.cmd([[silent %s/object.spec.$/object.spec.replicas < 5/]])
  wait(function() return #vim.diagnostic.get(0) == 0 end)
  say(#vim.diagnostic.get(0))
  vim.cmd("qall!")
end
vim.defer_fn(function()
  local is_good, problem = pcall(go)
  if not is_good then say(problem); vim.cmd("cquit!") end
end, 0)
"""


def snippets():
    """What MANUAL.md says to put into init.lua: of Neovim 0.11 and newer, and of an older one."""
    new, old = re.findall(r"(?m)^```lua\n(.*?)^```$", (ROOT / "cmd/kubectl-vapcheck/MANUAL.md").read_text(), re.S)
    return new, old


def is_new():
    version = subprocess.run(["nvim", "--version"], check=True, capture_output=True, text=True).stdout
    major, minor = re.search(r"NVIM v(\d+)\.(\d+)", version).groups()
    return (int(major), int(minor)) >= (0, 11)


class NeovimTest(offline.Case):
    def test_session(self):
        self.write("p.yaml", POLICY)
        new, old = snippets()
        self.write("init.lua", new if is_new() else old)
        self.write("session.lua", SCRIPT)
        path = f"{offline.PROGRAM.parent}:{os.environ['PATH']}"
        subprocess.run(
            ["nvim", "--headless", "-n", "-u", "init.lua", "p.yaml", "-c", "luafile session.lua"],
            check=True,
            cwd=self.directory,
            env={**os.environ, "PATH": path, "HOME": str(self.directory)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
        answers = [json.loads(line) for line in (self.directory / "answers").read_text().splitlines()]
        self.assertEqual(len(answers), 4, answers)
        finding, hover, completion, left = answers
        self.assertEqual((finding["code"], finding["lnum"], finding["col"]), ("undefined-field", 8, 28))
        self.assertEqual(hover["contents"]["value"], "```cel\nspec: Deployment.spec\n```")
        self.assertIn("replicas", [item["label"] for item in completion])
        self.assertEqual(left, 0)

    def test_both_are_lua(self):
        """The one that this Neovim does not run can at least be read."""
        for text in snippets():
            self.write("snippet.lua", text)
            check = (
                "lua local f, problem = loadfile('snippet.lua'); if not f then print(problem); vim.cmd('cquit!') end"
            )
            command = ["nvim", "--headless", "-n", "-u", "NONE", "-c", check, "-c", "qall!"]
            done = subprocess.run(
                command, cwd=self.directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
            )
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    if shutil.which("nvim") is None:
        print("skipped: there is no nvim (cmd/install-packages full)")
        sys.exit(77)
    unittest.main()
