"""Rows for the datasets that an Axolotl config names: the columns that its `type` reads.

A row has these columns only: a type is chosen by what is there, too (`input_ids` means that the
rows are tokenized already, `system` puts a turn in front).
"""

from __future__ import annotations

import random
from typing import Any

from tools.runs.worker.tiny import WORDS

#: Preference training whose rows hold two answers.
PAIRED = ("dpo", "ipo", "orpo", "simpo")
#: Training that generates the answers itself.
GENERATING = ("grpo", "gdpo", "ebft")


def sentence(draw: random.Random, longest: int = 18) -> str:
    """A few words, with a capital and a full stop."""
    count = draw.randint(4, longest)
    return " ".join(draw.choice(WORDS) for _ in range(count)).capitalize() + "."


def rows(dataset: dict[str, Any], rl: str | None, count: int, seed: int = 1) -> list[Any]:
    """The rows of one entry of `datasets`, `test_datasets` or `pretraining_dataset`."""
    draw = random.Random(seed)
    make = _maker(dataset, rl)
    return [make(Texts(draw, index)) for index in range(count)]


class Texts:
    """What is said in one row."""

    def __init__(self, draw: random.Random, index: int) -> None:
        self.index = index
        self.question, self.good, self.bad = (sentence(draw) for _ in range(3))
        self.system = sentence(draw, 7)


class _Maker:
    """Makes rows for one entry; the entry may rename columns, fields and roles."""

    def __init__(self, dataset: dict[str, Any]) -> None:
        self.dataset = dataset
        self.fields = dataset["type"] if isinstance(dataset.get("type"), dict) else {}
        mappings = dataset.get("message_property_mappings")
        mappings = mappings if isinstance(mappings, dict) else {}
        self.role = _text(mappings.get("role"), dataset.get("message_field_role"), "role")
        self.content = _text(
            mappings.get("content"), dataset.get("message_field_content"), "content"
        )

    def column(self, key: str, default: str) -> str:
        """The column that the entry names for `key`."""
        return _text(self.fields.get(key), self.dataset.get(key), default)

    def speaker(self, role: str) -> str:
        """The word of the rows for a role."""
        roles = self.dataset.get("roles")
        words = roles.get(role) if isinstance(roles, dict) else None
        return _text(words[0] if isinstance(words, list) and words else words, role)

    def turns(self, *texts: str) -> list[dict[str, str]]:
        """A conversation, the user first."""
        speakers = (self.speaker("user"), self.speaker("assistant"))
        return [
            {self.role: speakers[index % 2], self.content: text} for index, text in enumerate(texts)
        ]

    # one method for each shape of rows

    def instruction(self, texts: Texts) -> Any:
        """Every column of the instruction types: alpaca, gpteacher, jeopardy, context_qa …"""
        return {
            "instruction": texts.question,
            "input": "",
            "output": texts.good,
            "system": texts.system,
            "text": f"{texts.question} {texts.good}",
            "question": texts.question,
            "answer": texts.good,
            "response": texts.good,
            "article": texts.bad,
            "summary": texts.good,
            "context": texts.bad,
            "message_1": texts.question,
            "message_2": texts.good,
            "category": "words",
            "choices": texts.good,
            "explanation": texts.good,
            "corrected": texts.good,
            "reflection": texts.bad,
            "prompt": texts.question,
            "generation": texts.good,
            "INSTRUCTION": texts.question,
            "RESPONSE": texts.good,
            "conversations": [
                {"role": "human", "value": texts.question, "from": "human"},
                {"role": "model", "value": texts.good, "from": "gpt"},
            ],
        }

    def own_instruction(self, texts: Texts) -> Any:
        """The columns of a type that the file spells out."""
        return {
            self.column("field_instruction", "instruction"): texts.question,
            self.column("field_input", "input"): "",
            self.column("field_output", "output"): texts.good,
            self.column("field_system", "system"): texts.system,
        }

    def conversation(self, texts: Texts) -> Any:
        """Two questions with their answers."""
        turns = self.turns(texts.question, texts.good, texts.system, texts.bad)
        return {self.column("field_messages", "messages"): turns}

    def segments(self, texts: Texts) -> Any:
        """Text with a note at each part, whether it is learned."""
        return {
            "segments": [
                {"label": False, "text": texts.question},
                {"label": True, "text": texts.good},
            ]
        }

    def plain(self, texts: Texts) -> Any:
        """One text."""
        text = f"{texts.question} {texts.good} {texts.bad}"
        return {self.column("field", "text"): text, self.column("text_column", "text"): text}

    def tokens(self, texts: Texts) -> Any:
        """Rows that are tokenized already."""
        first = len(texts.question)
        ids = [5 + (first + place) % 200 for place in range(40)]
        return {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": ids}

    def pair(self, texts: Texts) -> Any:
        """A question with two answers, each a text."""
        return {
            "system": texts.system,
            "prompt": texts.question,
            "question": texts.question,
            "input": texts.question,
            "chosen": texts.good,
            "rejected": texts.bad,
            "chosen_response": texts.good,
            "rejected_response": texts.bad,
        }

    def own_pair(self, texts: Texts) -> Any:
        """A question with two answers, in columns that the file names."""
        row = {
            self.column("field_prompt", "prompt"): texts.question,
            self.column("field_chosen", "chosen"): texts.good,
            self.column("field_rejected", "rejected"): texts.bad,
        }
        if self.fields.get("field_system"):
            row[_text(self.fields["field_system"])] = texts.system
        return row

    def ranked(self, texts: Texts) -> Any:
        """A question with ranked answers."""
        answers = [{"answer": texts.bad, "rank": 2}, {"answer": texts.good, "rank": 1}]
        return {"prompt": texts.question, "answers": answers}

    def paired_turns(self, texts: Texts) -> Any:
        """A conversation and its two next turns."""
        next_turn = {self.role: self.speaker("assistant")}
        return {
            self.column("field_messages", "messages"): self.turns(texts.question),
            self.column("field_chosen", "chosen"): {**next_turn, self.content: texts.good},
            self.column("field_rejected", "rejected"): {**next_turn, self.content: texts.bad},
        }

    def paired_conversations(self, texts: Texts) -> Any:
        """Two whole conversations, with the same question."""
        return {
            "prompt": texts.question,
            self.column("field_chosen", "chosen"): self.turns(texts.question, texts.good),
            self.column("field_rejected", "rejected"): self.turns(texts.question, texts.bad),
        }

    def reward(self, texts: Texts) -> Any:
        """What the reward model's types read; `system` has to be there, and may be empty."""
        return {
            "system": "",
            "input": texts.question,
            "chosen": texts.good,
            "rejected": texts.bad,
        }

    def steps(self, texts: Texts) -> Any:
        """A solution in steps, with a verdict at each."""
        return {
            "prompt": texts.question,
            "completions": [texts.good, texts.bad],
            "labels": [True, False],
        }

    def judged(self, texts: Texts) -> Any:
        """A question, an answer, and whether it is a good one."""
        return {
            "system": texts.system,
            self.column("field_prompt", "prompt"): texts.question,
            "instruction": texts.question,
            "question": texts.question,
            self.column("field_completion", "completion"): texts.good,
            self.column("field_label", "label"): texts.index % 2 == 0,
        }

    def judged_conversation(self, texts: Texts) -> Any:
        """A conversation, and whether its end is a good one."""
        turns = self.turns(texts.question, texts.good)
        return {"completion": turns, "label": texts.index % 2 == 0}

    def prompt(self, texts: Texts) -> Any:
        """A question to generate answers to."""
        return {
            "prompt": [{"role": "user", "content": texts.question}],
            "question": texts.question,
            "answer": f"{texts.good} #### 4",
            "input": texts.question,
            "output": texts.good,
        }


def _maker(dataset: dict[str, Any], rl: str | None) -> Any:
    maker = _Maker(dataset)
    kind = dataset.get("type")
    name = kind if isinstance(kind, str) else ""
    if rl in GENERATING:
        return maker.prompt
    if rl == "kto":
        return maker.judged_conversation if name.endswith("argilla_chat") else maker.judged
    if rl in PAIRED:
        return _paired(maker, kind, name, rl)
    return _single(maker, kind, name)


def _paired(maker: _Maker, kind: Any, name: str, rl: str) -> Any:
    if isinstance(kind, dict):
        return maker.own_pair
    if name.startswith("chat_template") and "argilla" not in name and rl != "orpo":
        return maker.paired_turns
    if rl == "orpo" or name.endswith(("ultra", "argilla_chat", ".argilla", "orpo")):
        return maker.paired_conversations
    return maker.ranked if name.endswith("nectar") else maker.pair


def _single(maker: _Maker, kind: Any, name: str) -> Any:
    if isinstance(kind, dict):
        return maker.own_instruction
    starts = {
        "chat_template": maker.conversation,
        "input_output": maker.segments,
        "completion": maker.plain,
        "pretrain": maker.plain,
        "bradley_terry": maker.reward,
        "stepwise_supervised": maker.steps,
        "chatml": maker.pair,
        "llama3": maker.pair,
    }
    for start, make in starts.items():
        if name.startswith(start):
            return make
    return maker.instruction if name else maker.tokens


def _text(*candidates: Any) -> str:
    """The first that is a text with something in it."""
    return next((text for text in candidates if isinstance(text, str) and text), "text")
