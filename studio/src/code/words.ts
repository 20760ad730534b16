// The words of the languages that are written here, for colours and completion. What they mean is the server's business.

/** What a text is written in. `plain` is not coloured: names, comments. */
export type Language = 'uppaal' | 'query' | 'tchecker' | 'plain';

const TYPES = ['bool', 'chan', 'clock', 'double', 'int', 'scalar', 'string', 'struct', 'void'];
const STATEMENTS = ['assert', 'break', 'case', 'continue', 'default', 'do', 'else', 'for', 'if', 'return', 'switch', 'while'];
const MODIFIERS = ['broadcast', 'const', 'hybrid', 'meta', 'typedef', 'urgent'];
const STRUCTURE = [
  'assign', 'branchpoint', 'commit', 'gantt', 'guard', 'init', 'location', 'priority', 'probability', 'process', 'progress',
  'select', 'state', 'sync', 'system', 'trans',
];
const OPERATORS = ['and', 'exists', 'forall', 'imply', 'not', 'or', 'sum'];
const QUERIES = ['bounds', 'deadlock', 'inf', 'sup', 'under', 'control', 'saveStrategy', 'loadStrategy'];

export const UPPAAL = {
  types: new Set(TYPES),
  keywords: new Set([...STATEMENTS, ...MODIFIERS, ...STRUCTURE, ...OPERATORS, ...QUERIES]),
  constants: new Set(['true', 'false']),
};

export const TCHECKER = {
  /** The words that a line begins with. */
  declarations: new Set(['system', 'clock', 'int', 'event', 'process', 'location', 'edge', 'sync']),
  /** The attributes of locations and edges. */
  attributes: new Set(['initial', 'committed', 'urgent', 'invariant', 'labels', 'provided', 'do', 'weak', 'nop']),
};

/** The words to be offered for a language. */
export function wordsOf(language: Language): string[] {
  switch (language) {
    case 'uppaal':
      return [...TYPES, ...STATEMENTS, ...MODIFIERS, ...OPERATORS, 'system', 'process', 'priority', 'true', 'false'];
    case 'query':
      return [...OPERATORS, ...QUERIES.slice(0, 4), 'true', 'false'];
    case 'tchecker':
      return [...TCHECKER.declarations, ...TCHECKER.attributes];
    case 'plain':
      return [];
  }
}
