"""Editors with the settings of docs/editors.md: what they show is what a check finds."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.files import CLEAN

pytestmark = pytest.mark.doors
ROOT = Path(__file__).resolve().parents[2]
DOCS = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
#: Letters of two UTF-16 units and of three UTF-8 bytes stand before the misspelt key.
TEXT = (
    CLEAN.replace("num_epochs", "num_epochss")
    + 'fsdp_config: {"cpu_ram_efficient_loading": "模型🚀é", nonsense: 1}\n'
)
NEOVIM = """\
local function findings()
  return vim.tbl_map(function(d)
    return { code = d.code, line = d.lnum, column = d.col, message = d.message }
  end, vim.diagnostic.get(0))
end
local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    return answer.result
  end
end
vim.wait(30000, function() return #vim.diagnostic.get(0) > 1 end, 50)
local out = { before = findings() }
vim.fn.cursor(6, 3)
out.hover = ask("textDocument/hover", vim.lsp.util.make_position_params()).contents.value
vim.fn.cursor(7, 3)
local range = vim.lsp.util.make_range_params()
range.context = { diagnostics = {} }
local actions = ask("textDocument/codeAction", range)
out.actions = vim.tbl_map(function(a) return a.title end, actions)
local client = vim.tbl_values(vim.lsp.get_active_clients())[1]
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
vim.wait(30000, function() return #vim.diagnostic.get(0) < #out.before end, 50)
out.after = findings()
out.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n") .. "\\n"
vim.fn.append(vim.fn.line("$"), "gradient_acc")
vim.fn.cursor(vim.fn.line("$"), 13)
local list = ask("textDocument/completion", vim.lsp.util.make_position_params())
out.completion = vim.tbl_map(function(i) return i.label end, list.items)
vim.fn.writefile({ vim.fn.json_encode(out) }, "out.json")
vim.cmd("qall!")
"""
EMACS = """\
(defun wait-for (holds)
  (let ((end (+ (float-time) 30)))
    (while (and (not (funcall holds)) (< (float-time) end))
      (accept-process-output nil 0.1))))
(defun findings ()
  (save-restriction
    (widen)
    (apply #'vector
           (mapcar (lambda (d)
                     (goto-char (flymake-diagnostic-beg d))
                     (list :line (1- (line-number-at-pos)) :column (current-column)
                           :message (substring-no-properties (flymake-diagnostic-text d))))
                   (flymake-diagnostics)))))
(setq eglot-sync-connect 30 eglot-confirm-server-initiated-edits nil)
(find-file "train.yml")
(yaml-mode)
(call-interactively #'eglot)
(wait-for (lambda () (> (length (flymake-diagnostics)) 1)))
(let* ((before (findings))
       (hover (progn
                (goto-char (point-min)) (search-forward "micro_b")
                (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                       (eglot--TextDocumentPositionParams))
                                      :contents)
                           :value)))
       (actions (progn
                  (goto-char (point-min)) (search-forward "num_epochss")
                  (eglot-code-actions (point) (point))))
       (titles (apply #'vector (mapcar (lambda (a) (plist-get a :title)) actions))))
  (eglot--apply-workspace-edit (plist-get (aref (vconcat actions) 0) :edit))
  (eglot--signal-textDocument/didChange)
  (wait-for (lambda () (< (length (flymake-diagnostics)) (length before))))
  (let ((text (buffer-substring-no-properties (point-min) (point-max)))
        (after (findings)))
    (with-temp-file "out.json"
      (insert (json-serialize (list :before before :hover hover :actions titles
                                    :after after :text text))))))
(eglot-shutdown (eglot-current-server))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project, and the command on the path."""
    command = tmp_path / "bin" / "cfglint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cfglint "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "train.yml").write_text(TEXT, encoding="utf-8")
    return project


def needs(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def snippet(heading: str, language: str) -> str:
    section = DOCS.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    (found,) = re.findall(rf"```{language}\n(.*?)```", section, re.S)
    return str(found)


def shown(command: list[str], folder: Path) -> dict[str, Any]:
    """What the editor's script wrote down."""
    own = {
        **os.environ,
        "HOME": str(folder.parent),
        "PATH": f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        command, cwd=folder, env=own, capture_output=True, timeout=150, check=False
    )
    result = folder / "out.json"
    assert result.exists(), (done.stdout + done.stderr).decode("utf-8", "replace")
    written: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return written


def check(said: dict[str, Any], *, column: int) -> None:
    """The findings, the fix and the rest of them."""
    assert {(one["line"], one["column"]) for one in said["before"]} >= {(10, column), (6, 0)}
    assert said["actions"][0] == "Rename it to num_epochs [KEY001]"
    assert "Ignore KEY001 (unknown-key)" in said["actions"]
    assert said["text"] == TEXT.replace("num_epochss", "num_epochs")
    assert "micro_batch_size" in said["hover"]
    assert len(said["after"]) == len(said["before"]) - 1


def test_neovim(folder: Path) -> None:
    neovim = needs("nvim")
    (folder / "init.lua").write_text(snippet("Neovim", "lua"), encoding="utf-8")
    (folder / "story.lua").write_text(NEOVIM, encoding="utf-8")
    command = [neovim, "--headless", "-n", "-u", "init.lua", "train.yml", "-c", "luafile story.lua"]
    said = shown(command, folder)
    before = TEXT.splitlines()[10].partition("nonsense")[0]
    check(said, column=len(before.encode("utf-8")))
    assert "gradient_accumulation_steps" in said["completion"]


def test_emacs(folder: Path) -> None:
    emacs = needs("emacs")
    for package in ("eglot", "yaml-mode"):
        probe = [emacs, "--batch", "--eval", f"(progn (package-initialize) (require '{package}))"]
        if subprocess.run(probe, capture_output=True, check=False).returncode:
            pytest.skip(f"Emacs has no {package}")
    (folder / "init.el").write_text("(package-initialize)\n" + snippet("Emacs", "elisp"), "utf-8")
    (folder / "story.el").write_text("(require 'yaml-mode)\n" + EMACS, encoding="utf-8")
    said = shown([emacs, "--batch", "-l", "init.el", "-l", "story.el"], folder)
    # Each of the three wide letters takes two columns.
    check(said, column=len(TEXT.splitlines()[10].partition("nonsense")[0]) + 3)
