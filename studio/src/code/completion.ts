// Names that can be written, offered while typing. Which there are is the server's answer; here they are only looked up.

import { snippetCompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';

import type { Name, Names } from '../api/types';
import { wordsOf, type Language } from './words';

const ICONS: Record<string, string> = {
  clock: 'property', variable: 'variable', constant: 'constant', channel: 'interface', function: 'function', type: 'type',
  template: 'class', process: 'class', location: 'enum', parameter: 'variable',
};

function offered(name: Name, boost: number): Completion {
  const detail = name.detail.length > 60 ? `${name.detail.slice(0, 59)}…` : name.detail;
  return { label: name.name, type: ICONS[name.kind] ?? 'text', detail: detail || name.kind, boost };
}

const LOOPS: Completion[] = [
  snippetCompletion('for (${i} : ${int[0, N - 1]}) {\n\t${}\n}', { label: 'for', detail: 'loop over a type', type: 'keyword' }),
  snippetCompletion('if (${condition}) {\n\t${}\n}', { label: 'if', detail: 'statement', type: 'keyword' }),
  snippetCompletion('while (${condition}) {\n\t${}\n}', { label: 'while', detail: 'statement', type: 'keyword' }),
  snippetCompletion('typedef ${int[0, 3]} ${name_t};', { label: 'typedef', detail: 'a named type', type: 'keyword' }),
];

/** What can be written in a text: names of the template first, then global ones, then words of the language. */
export function candidates(names: Names, language: Language, template: number | null): Completion[] {
  const own = template === null ? [] : (names.templates[template] ?? []);
  const hidden = new Set(own.map((name) => name.name));
  const snippets = language === 'uppaal' ? LOOPS : [];
  const replaced = new Set(snippets.map((snippet) => snippet.label));
  return [
    ...own.map((name) => offered(name, 20)),
    ...names.global.filter((name) => !hidden.has(name.name)).map((name) => offered(name, 10)),
    ...snippets,
    ...wordsOf(language).filter((word) => !replaced.has(word)).map((word) => ({ label: word, type: 'keyword', boost: -10 })),
  ];
}

/** What can follow a process and a dot. */
export function membersOf(names: Names, before: string): Completion[] {
  const found = names.members.find(({ of }) => of === before) ?? names.members.find(({ of }) => of === before.replace(/\(.*$/, ''));
  return (found?.names ?? []).map((name) => offered(name, 10));
}

/** A source of completions for an editor. The names are asked for anew each time. */
export function source(
  names: () => Names | null,
  language: () => Language,
  template: () => number | null,
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const known = names();
    if (!known || language() === 'plain') return null;
    const member = context.matchBefore(/\w+(\([^()]*\))?\.\w*/);
    if (member) {
      const dot = member.text.lastIndexOf('.');
      const options = membersOf(known, member.text.slice(0, dot));
      return options.length === 0 ? null : { from: member.from + dot + 1, options, validFor: /^\w*$/ };
    }
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (!word && !context.explicit) return null;
    return { from: word?.from ?? context.pos, options: candidates(known, language(), template()), validFor: /^\w*$/ };
  };
}
