// What the seal of a certified answer says.

import type { CertifiedFinding } from '../api/types';
import { bytes, counted, duration } from '../ui/format';

/** What was checked, what that took, and the hash by which the certificate is known. */
export function sealText({ states, successors, sha256, bytes: size, seconds }: CertifiedFinding): string {
  const checked = `${counted(states, 'state')} and ${counted(successors, 'successor')} checked in ${duration(seconds)}`;
  return `${checked}, ${bytes(size)}\nSHA-256 ${sha256}`;
}
