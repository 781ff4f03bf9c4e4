"""What is wrong in a rule file, in the app's language. The reader's own words are English, for the log."""

import re
from collections.abc import Callable

from jarvis_desktop.adapters.rule_text import ReadRules, RuleProblem
from jarvis_desktop.core.items.rule_facts import TextProblem
from jarvis_desktop.core.policy.rules import weakness_of
from jarvis_desktop.core.policy.wording import weakness_text
from jarvis_desktop.core.ports import Texts

_SKIPPED = "; this rule is skipped"
_NONE_COUNT = re.compile(r"[,;] (?:so|until this is mended) none of its rules count$")


def problems_of(found: ReadRules, texts: Texts) -> tuple[TextProblem, ...]:
    """Each problem with its line; a rule that never allows is a warning."""
    weak = {rule.number: weakness_of(rule.line) for rule in found.rules}
    told: list[TextProblem] = []
    for problem in found.problems:
        weakness = weak.get(problem.line)
        if weakness is not None and "never allows" in problem.what:
            told.append(TextProblem(problem.line, weakness_text(weakness, texts), is_warning=True))
        else:
            told.append(TextProblem(problem.line, problem_text(problem, texts)))
    return tuple(sorted(told, key=lambda one: one.line))


def problem_text(problem: RuleProblem, texts: Texts) -> str:
    """What was found and what was expected."""
    what = problem.what
    if what.endswith(_SKIPPED):
        said = _said(what.removesuffix(_SKIPPED), texts)
        return texts("{what} This rule is skipped.").format(what=said)
    if _NONE_COUNT.search(what):
        said = _said(_NONE_COUNT.sub("", what), texts)
        return texts("{what} Until this is mended, none of its rules count.").format(what=said)
    return _said(what, texts)


def _said(what: str, texts: Texts) -> str:
    for pattern, wording in _WORDINGS:
        match = re.fullmatch(pattern, what, re.DOTALL)
        if match is not None:
            return wording(texts).format(*match.groups())
    # The YAML reader's own words, or the system's.
    return texts("This cannot be read: {what}.").format(what=what)


_WORDINGS: tuple[tuple[str, Callable[[Texts], str]], ...] = (
    (r"the file is larger than (\d+) MB", lambda texts: texts("The file is larger than {0} MB.")),
    (r'found no "rules:" at the top', lambda texts: texts('There is no "rules:" at the top.')),
    (
        r'"(.*)" means nothing here; only "rules" does',
        lambda texts: texts('"{0}" means nothing here; only "rules" does.'),
    ),
    (r'"rules" is there twice', lambda texts: texts('"rules" is there twice.')),
    (r'"rules" must be a list', lambda texts: texts('"rules" must be a list.')),
    (
        r'found no "tool" and "pattern"',
        lambda texts: texts('A rule is written like this: {{tool: bash, pattern: "git status"}}.'),
    ),
    (r'"(tool|pattern)" is missing', lambda texts: texts('"{0}" is missing.')),
    (r"the pattern goes over more than one line", lambda texts: texts("The pattern must be on one line.")),
    (
        r'"(.*)" means nothing in a rule; it has "tool" and "pattern"',
        lambda texts: texts('"{0}" means nothing in a rule; it has "tool" and "pattern".'),
    ),
    (r'"(.*)" is there twice', lambda texts: texts('"{0}" is there twice.')),
    (r'"(.*)" must be a text', lambda texts: texts('"{0}" must be a text.')),
    (r"it cannot be read \((.*)\)", lambda texts: texts("The file cannot be read ({0}).")),
)
