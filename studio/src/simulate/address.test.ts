// Tests of address.ts.

import { describe, expect, test } from 'vitest';

import { addressOf, shared } from './address';

const HASH = 'deadbeef00112233445566778899aabb';

describe('addresses', () => {
  test('say what was put into them', () => {
    const what = { hash: HASH, mode: 'concrete' as const, path: '0_2~5-2_w~3' };
    const address = addressOf('http://127.0.0.1:7423', what);
    expect(address).toBe(`http://127.0.0.1:7423/#/simulate/${HASH}/concrete/0_2~5-2_w~3`);
    const [, ...rest] = address.split('#/')[1]!.split('/').map(decodeURIComponent);
    expect(shared(rest)).toEqual(what);
  });

  test('can be of the start', () => expect(shared([HASH, 'symbolic', ''])).toEqual({ hash: HASH, mode: 'symbolic', path: '' }));
  test('may leave the path out', () => expect(shared([HASH, 'symbolic'])?.path).toBe(''));

  test.each([
    [[]],
    [['']],
    [['../about', 'concrete', '0']],
    [[HASH, 'sideways', '0']],
    [[HASH, 'concrete', '<script>']],
    [[HASH, 'concrete', '0', '1']],
    [[HASH, 'concrete', '0_'.repeat(200_000)]],
  ])('that were not made here are not followed: %#', (rest) => expect(shared(rest)).toBeNull());
});
