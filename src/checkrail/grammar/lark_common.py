r"""The library `common`: terminals that nearly every grammar needs, for `%import common.NAME`.

The names and the languages are those of Lark's library of that name, so that grammars written for Lark mean the same
here. The definitions are our own, without lazy quantifiers and lookbehind: each is the plain set of its lexemes.
"""

from __future__ import annotations

__all__ = ["COMMON"]

COMMON = r"""
DIGIT: /[0-9]/
HEXDIGIT: /[0-9A-Fa-f]/
INT: /[0-9]+/
SIGNED_INT: /[-+]?[0-9]+/
DECIMAL: /[0-9]+\.[0-9]*|\.[0-9]+/
FLOAT: /[0-9]+[eE][-+]?[0-9]+/ | DECIMAL /([eE][-+]?[0-9]+)?/
SIGNED_FLOAT: /[-+]?/ FLOAT
NUMBER: FLOAT | INT
SIGNED_NUMBER: /[-+]?/ NUMBER

ESCAPED_STRING: /"([^"\\\n]|\\[^\n])*"/

LCASE_LETTER: /[a-z]/
UCASE_LETTER: /[A-Z]/
LETTER: /[A-Za-z]/
WORD: /[A-Za-z]+/
CNAME: /[A-Za-z_][A-Za-z0-9_]*/

WS_INLINE: /[ \t]+/
WS: /[ \t\f\r\n]+/
CR: "\r"
LF: "\n"
NEWLINE: /(\r?\n)+/

SH_COMMENT: /#[^\n]*/
CPP_COMMENT: /\/\/[^\n]*/
C_COMMENT: /\/\*([^*]|\*+[^*\/])*\*+\//
SQL_COMMENT: /--[^\n]*/
"""
