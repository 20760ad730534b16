// Tests of what files are, and of files of queries.

import { describe, expect, test } from 'vitest';

import { inOrder, kindOf, languageOf } from './kinds';
import { readQueries, writeQueries } from './queryfile';

describe('files', () => {
  test('are told apart by their names', () => {
    expect(['a.xml', 'B.XTA', 'c.ta', 'd.tck', 'e.q', 'f.json', 'g.xtr', 'h.png', 'xml'].map(kindOf)).toEqual([
      'model', 'model', 'model', 'model', 'queries', 'run', 'run', null, null,
    ]);
    expect(['a.xml', 'b.ta', 'c.xta', 'd.TCK'].map(languageOf)).toEqual(['xml', 'xta', 'xta', 'tck']);
  });

  test('that are dropped together go in an order that makes sense', () => {
    const names = inOrder([{ name: 'r.xtr' }, { name: 'm.q' }, { name: 'm.xml' }]).map((file) => file.name);
    expect(names).toEqual(['m.xml', 'm.q', 'r.xtr']);
  });
});

describe('a file of queries', () => {
  test('has comments and expectations before its formulas', () => {
    const text = '/* It can happen. EXPECT:T */\r\nE<> P.a\r\n\r\n// never\n/* EXPECT:F,3s */\nA[] not \\\n  P.b\n';
    expect(readQueries(text)).toEqual([
      { formula: 'E<> P.a', comment: 'It can happen.', expected: 'success', kept: [] },
      { formula: 'A[] not \n  P.b', comment: 'never', expected: 'failure', kept: [] },
    ]);
  });

  test('is written so that it reads the same', () => {
    const queries = [
      { formula: 'E<> P.a', comment: 'It can\nhappen.', expected: 'success', kept: [] },
      { formula: 'A[] not\n  P.b', comment: '', expected: 'maybe_false', kept: [] },
      { formula: 'E<> true', comment: 'plain', expected: '', kept: [] },
    ];
    expect(readQueries(writeQueries(queries))).toEqual(queries);
    expect(readQueries(writeQueries([{ formula: 'x', comment: 'a */ b EXPECT:F', expected: '', kept: [] }]))).toEqual([
      { formula: 'x', comment: 'a * / b EXPECT :F', expected: '', kept: [] },
    ]);
  });

  test('may be empty, unfinished, or hold comments alone', () => {
    expect(readQueries('')).toEqual([]);
    expect(readQueries('/* no end')).toEqual([]);
    expect(readQueries('\n \n// x')).toEqual([]);
  });
});
