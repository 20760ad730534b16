// How texts are coloured. A line is read from left to right and only comments reach beyond it, so that colouring is as fast
// for a long model as for a short one.

import { HighlightStyle, indentService, StreamLanguage, syntaxHighlighting, type StringStream } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

import { TCHECKER, UPPAAL, type Language } from './words';

/** What is remembered from one line to the next. */
interface Memory {
  comment: boolean;
}

const IDENTIFIER = /^[A-Za-z_]\w*/;
const NUMBER = /^\d+(\.\d+)?([eE][+-]?\d+)?/;
const OPERATOR = /^(-->|<->|<=|>=|==|!=|&&|\|\||<<=?|>>=?|[-+*/%&|^]=|:=|\+\+|--|[-+*/%<>=!?:^&|~])/;
const PATH = /^([AE](\[\]|<>)|-->)/;

/** The kind of the next token of UPPAAL's language. */
export function uppaalToken(stream: StringStream, memory: Memory): string | null {
  if (memory.comment) {
    if (stream.skipTo('*/')) {
      stream.match('*/');
      memory.comment = false;
    } else stream.skipToEnd();
    return 'comment';
  }
  if (stream.eatSpace()) return null;
  if (stream.match('//')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match('/*')) {
    memory.comment = true;
    return 'comment';
  }
  if (stream.match(PATH)) return 'keyword';
  if (stream.match(NUMBER)) return 'number';
  if (stream.match(/^"([^"\\]|\\.)*"?/)) return 'string';
  if (stream.match(IDENTIFIER)) return wordKind(stream.current());
  if (stream.match(OPERATOR)) return 'operator';
  stream.next();
  return 'punctuation';
}

function wordKind(word: string): string {
  if (UPPAAL.types.has(word)) return 'typeName';
  if (UPPAAL.keywords.has(word)) return 'keyword';
  return UPPAAL.constants.has(word) ? 'atom' : 'variableName';
}

/** The kind of the next token of TChecker's language. */
export function tcheckerToken(stream: StringStream): string | null {
  const first = stream.sol();
  if (stream.eatSpace()) return null;
  if (stream.match('#')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match(NUMBER)) return 'number';
  if (stream.match(IDENTIFIER)) {
    const word = stream.current();
    if (first && TCHECKER.declarations.has(word)) return 'keyword';
    return TCHECKER.attributes.has(word) && /^\s*[:}]/.test(stream.string.slice(stream.pos)) ? 'typeName' : 'variableName';
  }
  if (stream.match(OPERATOR)) return 'operator';
  stream.next();
  return 'punctuation';
}

const uppaal = StreamLanguage.define<Memory>({
  name: 'uppaal',
  startState: () => ({ comment: false }),
  token: uppaalToken,
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['(', '[', '{'] } },
});

/** A line after an opening bracket is indented, one that begins with a closing bracket is not. */
const indentation = indentService.of((context, at) => {
  const here = context.lineAt(at);
  if (here.from === 0) return 0;
  const before = context.lineAt(here.from - 1, -1);
  const opens = /[{(]\s*(\/\/.*)?$/.test(before.text) ? context.unit : 0;
  const closes = /^\s*[})]/.test(here.text) ? context.unit : 0;
  return Math.max(0, context.lineIndent(before.from) + opens - closes);
});

const tchecker = StreamLanguage.define<null>({
  name: 'tchecker',
  startState: () => null,
  token: tcheckerToken,
  languageData: { commentTokens: { line: '#' } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--invariant)', fontWeight: '600' },
  { tag: tags.typeName, color: 'var(--sync)', fontWeight: '600' },
  { tag: [tags.number, tags.atom], color: 'var(--guard)' },
  { tag: tags.string, color: 'var(--select)' },
  { tag: tags.operator, color: 'var(--assign)' },
  { tag: tags.punctuation, color: 'var(--soft)' },
]);

/** What colours a language. */
export function colouring(language: Language): Extension {
  if (language === 'plain') return [];
  return [language === 'tchecker' ? tchecker : [uppaal, indentation], syntaxHighlighting(colours)];
}
