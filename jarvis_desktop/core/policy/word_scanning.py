"""Where quotes and brackets of a shell word end; text without an end goes to its end."""

CLOSERS = {"(": ")", "{": "}", "[": "]"}


def find(text: str, mark: str, start: int) -> int:
    """Index of the next ``mark``; the end of the text when there is none."""
    end = text.find(mark, start)
    return len(text) if end < 0 else end


def ansi_end(text: str, start: int) -> int:
    """Index of the quote that ends ``$'…'``."""
    at = start
    while at < len(text) and text[at] != "'":
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def backtick_end(text: str, start: int) -> int:
    """Index of the backtick that ends a substitution."""
    at = start
    while at < len(text) and text[at] != "`":
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def double_end(text: str, start: int) -> int:
    """Index of the quote that ends a double-quoted text."""
    at = start
    while at < len(text) and text[at] != '"':
        if text[at] == "\\":
            at += 2
        elif text[at] == "$" and text[at + 1 : at + 2] in ("(", "{"):
            at = balanced_end(text, at + 1) + 1
        elif text[at] == "`":
            at = backtick_end(text, at + 1) + 1
        else:
            at += 1
    return min(at, len(text))


def balanced_end(text: str, start: int) -> int:
    """Index of the closer of the bracket at ``start``; the end of the text when there is none."""
    waiting = [CLOSERS[text[start]]]
    at = start + 1
    while at < len(text):
        char = text[at]
        if char == waiting[-1]:
            waiting.pop()
            if not waiting:
                return at
        elif char in CLOSERS and char != "[":
            waiting.append(CLOSERS[char])
        at = skipped_quote(text, at)
    return len(text)


def skipped_quote(text: str, at: int) -> int:
    """Index after the character at ``at``, or after the quoted text that begins there."""
    char = text[at]
    if char == "\\":
        return at + 2
    if char == "'":
        return find(text, "'", at + 1) + 1
    if char == '"':
        return double_end(text, at + 1) + 1
    return at + 1
