"""Numbered promises of the requirements that are kept, each proved by a test marked ``promise("<number>")``.

``tests/unit/test_behaviours.py`` checks both directions. A number is entered
here in the commit that builds it.
"""

from collections.abc import Mapping
from types import MappingProxyType

PROMISES: Mapping[str, str] = MappingProxyType(
    {
        # Principles
        "T-001": "files, shell and web are reached through tools, by nothing else",
        "T-002": "a tool that may be dangerous asks a person before it runs",
        "T-004": "a call passes the allow-list, then plugins, then the approval check",
        "T-007": "after a denial, code decides what happens next",
        # One decision function
        "T-009": "one function decides about a call",
        "T-010": "no approval needed, then a matching rule, then a person",
        "T-011": "a decision is allowed, denied or timed out, never a boolean",
        "T-012": "the reason of a denial travels in the decision and words reply and activity",
        "T-013": "a denial is a value, not an exception",
        # One call on its way
        "T-014": "a tool that is not allowed comes back as an error: not permitted",
        "T-015": "a plugin that blocks gives its reason to the model",
        "T-016": "allow-list and plugin refusals are errors, and the loop goes on",
        "T-019": "when every call was refused, one fixed line ends the turn without the model",
        "T-020": "when only some were refused, the model goes on with the rest",
        "T-021": "a turn has at most 20 tool rounds",
        "T-022": "the prompt says on every turn to call approval tools oneself, again for a new request",
        "T-023": "asking for the same thing again asks for approval again",
        # Denials in words
        "T-025": "the fixed line of a denial, with the tool's name",
        "T-026": "a denial is noted in the activity list",
        "T-027": "the fixed line of an approval that nobody answered",
        "T-028": "a time-out is noted in the activity list",
        "T-029": "a time-out closes the question in every window",
        "T-030": "after a denial nothing tells the person to do it by hand",
        "T-031": "the prompt's rule alone is not trusted: the end of a refused turn is code",
        # Final results
        "T-032": "a tool may mark its result as final",
        "T-033": "when every result is final, its text is the answer, verbatim, without the model",
        "T-034": "final results among others are summarised by the model",
        # Built-in tools
        "T-036": "the tools live in a registry",
        "T-037": "bash runs a command, 30 s by default, after approval",
        "T-038": "write_file writes a file and makes its folders, after approval",
        "T-039": "edit_file replaces an exact text, after approval",
        "T-040": "read_file reads a range of lines",
        "T-041": "glob finds files, newest first",
        "T-042": "grep searches text files by regular expression",
        "T-043": "list_dir lists a folder",
        "T-054": "a tool that replaces a built-in one keeps its need of approval",
        # Asking
        "T-057": "the answers are allow, always and deny",
        "T-058": "allow counts once",
        "T-059": "always is offered with a proposed rule only, and remembers just that",
        "T-060": "deny runs nothing",
        "T-061": "without an answer within 120 s it is denied",
        "T-062": "a request that began by voice can be answered by voice",
        "T-063": "one broker holds the questions of a session",
        "T-064": "every window of the session is asked",
        "T-065": "the first answer wins",
        "T-066": "the other windows close their question when it is decided",
        "T-067": "a window opened while a question waits shows it",
        "T-068": "with nobody there to answer it is denied at once",
        "T-069": "approval belongs to the session, not to one window",
        # Spoken answers
        "T-070": "one negation word denies",
        "T-071": "only a clear permission allows",
        "T-072": "what is ambiguous is denied",
        "T-073": "while the question is open we listen again, at most 20 times",
        "T-074": "in doubt a spoken answer denies",
        "T-076": "an answer that comes after a long pause still counts",
        # Settings and input
        "T-089": "a setting names the tools that need approval",
        "T-173": "an empty or far too long request is refused",
        "T-257": "the prompt's rule on approval tools has the design's wording",
        # The experiment on denials, as far as it is a behaviour
        "T-200": "refused, then asked again in other words: the question comes again",
        "T-205": "right after a denial no model is called, so the result does not depend on the model",
        # Acceptance checks
        "T-240": "the three outcomes are told apart, with no boolean anywhere",
        "T-241": "two refused calls: no further request to the model, and the fixed line",
        "T-242": "one of two refused: exactly one further request",
        "T-243": "after a time-out the same request asks again",
        "T-244": "allow-list and plugin refusals are errors, and the loop goes on",
        "T-250": "after 20 rounds the turn ends as overflow",
        "T-254": "after 20 listens only the buttons answer",
        "T-255": "a late window shows the open question at once, and answering there closes the others",
        "T-256": "a late answer runs nothing",
        # Goals, as far as a conversation has them
        "G-132": "after a restart the last normal conversation is opened again",
        # Rules and the danger list
        "T-024": "the danger list blocks without asking, so a blocked command reaches no window",
        "T-077": "a rule is made only when a person presses always",
        "T-078": "shared and own rules: a match in either means no question",
        "T-079": "the shared file applies to all agents",
        "T-080": "an agent's own file applies to that agent",
        "T-081": "ALWAYS writes to the file of the agent that asked",
        "T-082": "nothing is written when the shared file already holds the rule",
        "T-083": "for the shell ALWAYS offers the first two words",
        "T-084": "a shell rule is a prefix of words",
        "T-085": "for a file its folder is offered, and rules on files are globs",
        "T-086": "for any other tool the whole tool is offered",
        "T-087": "rule files are lists of tool and pattern, edited by hand at will",
        "T-088": "a kill while a rule is saved leaves the old or the new file",
        "T-091": "a person is told what a rule will let pass",
        "T-092": "a rule that is taken back no longer counts at once",
        "T-093": "the allowed range never widens by itself",
        "T-177": "a command on the danger list is blocked without asking",
        "T-178": "the danger list wins over a rule",
        "T-179": "the refusal names security.dangerous_commands",
        "T-181": "the default list knows deletion, privilege, downloads, disks and power in any spelling",
        "T-182": "entries of one's own are regular expressions",
        "T-183": "a wrong entry is reported and never weakens the list",
        "T-184": "an empty list turns all off but the guard of the rule files",
        "T-185": "content that nobody can run is not looked into",
    }
)
