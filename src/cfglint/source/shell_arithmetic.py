"""What a shell computes in whole numbers: `$((16 / gpus))`, `$(expr 16 / $gpus)`."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern

#: Longer expressions are not computed.
_MAX_LENGTH = 200
_MAX_NUMBER = 1 << 62
#: A number with a zero in front is octal, so it is not known here.
_TOKEN = lazy_pattern(r"(?:[ \t]{1,200})?(?:(\d+)|\$?\{?([A-Za-z_]\w*)\}?|([-+*/%()]))")
_EXPR_TOKEN = lazy_pattern(r"(\d+)|\$\{?([A-Za-z_]\w*)\}?|\\?([-+*/%()])")
_SUMS, _PRODUCTS = "+-", "*/%"
ValueOf = Callable[[str], "int | None"]


def computed(written: str, value_of: ValueOf) -> str | None:
    """The number that an expansion becomes; None for anything else, and for one that is not known.

    Args:
        value_of: gives the number that a variable is.
    """
    inner, pattern = written[2:-1], _TOKEN
    if len(written) > _MAX_LENGTH:
        return None
    if written.startswith("$((") and written.endswith("))"):
        inner = inner[1:-1].strip()
        tokens = []
        at = 0
        while at < len(inner):
            match = pattern.match(inner, at)
            if match is None:
                return None
            tokens.append(match.groups())
            at = match.end()
    elif (words := _of_expr(written)) is not None:
        found = [_EXPR_TOKEN.fullmatch(word.strip('"')) for word in words]
        tokens = [match.groups() for match in found if match is not None]
        if len(tokens) != len(words):
            return None
    else:
        return None
    result = _Parser(tokens, value_of).result()
    return None if result is None else str(result)


def _of_expr(written: str) -> list[str] | None:
    """The words behind `expr`."""
    is_quoted = written[:1] == written[-1:] == "`"
    words = (written[1:-1] if is_quoted else written[2:-1]).split()
    is_call = is_quoted or (written.startswith("$(") and written.endswith(")"))
    return words[1:] if is_call and words[:1] == ["expr"] else None


class _Parser:
    """Reads the tokens of an expression: (number, name, sign), of which each has one."""

    def __init__(self, tokens: list[tuple[str, ...]], value_of: ValueOf) -> None:
        self._tokens = tokens
        self._value_of = value_of
        self._at = 0

    def result(self) -> int | None:
        """The number, if all tokens belong to it."""
        found = self._sum()
        return found if self._at == len(self._tokens) else None

    def _sign(self, of: str) -> str:
        """The next token, if it is one of some signs."""
        token = self._tokens[self._at] if self._at < len(self._tokens) else ("", "", "")
        if not token[2] or token[2] not in of:
            return ""
        self._at += 1
        return token[2]

    def _sum(self) -> int | None:
        return self._chain(_SUMS, self._product)

    def _product(self) -> int | None:
        return self._chain(_PRODUCTS, self._operand)

    def _chain(self, signs: str, part: Callable[[], int | None]) -> int | None:
        found = part()
        while sign := self._sign(signs):
            other = part()
            if found is None or other is None or (sign in "/%" and not other):
                return None
            found = _applied(sign, found, other)
            if abs(found) > _MAX_NUMBER:
                return None
        return found

    def _operand(self) -> int | None:
        if self._sign("("):
            found = self._sum()
            return found if self._sign(")") else None
        if self._sign("-"):
            found = self._operand()
            return None if found is None else -found
        if self._at >= len(self._tokens):
            return None
        number, name, sign = self._tokens[self._at]
        if sign:
            return None
        self._at += 1
        if name:
            return self._value_of(name)
        return None if number.startswith("0") and number != "0" else int(number)


def _applied(sign: str, left: int, right: int) -> int:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    # A shell rounds to zero, and the rest has the sign of the first number.
    whole = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return whole if sign == "/" else left - right * whole
