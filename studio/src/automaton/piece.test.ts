// Pieces and their codes.

import { expect, it } from 'vitest';

import { codeOf, pieceOf, type Piece } from './piece';

it('pieces are the same after being written as codes', () => {
  const pieces: Piece[] = [
    { kind: 'location', at: 3 },
    { kind: 'branchpoint', at: 0 },
    { kind: 'edge', at: 12 },
    { kind: 'nail', at: 1, nail: 2 },
    { kind: 'location-label', at: 4, label: null },
    { kind: 'location-label', at: 4, label: 1 },
    { kind: 'edge-label', at: 4, label: 0 },
  ];
  for (const piece of pieces) expect(pieceOf(codeOf(piece))).toEqual(piece);
  expect(pieceOf('something:else')).toBeNull();
});
