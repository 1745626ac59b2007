import { createHash } from 'node:crypto';
import type { ParameterFault } from '#web/parameter-fault.js';

const MEMBER = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
const DIGEST_LENGTH = 22;

/** The strong validator of an account, and of all that is read from it alone: its version. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** The validator of what is set of something: another one whenever it is set otherwise. */
export function contentTag(settings: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('base64url');
  return `"${digest.slice(0, DIGEST_LENGTH)}"`;
}

/**
 * Reads `If-Match` (RFC 9110, 13.1.1): the validators that a change is meant for; undefined where
 * any will do. What is wrong is added to `faults`.
 */
export function readIfMatch(
  header: string | undefined,
  faults: ParameterFault[],
): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const members = splitTags(header);
  if (members.length === 0 || !members.every((member) => MEMBER.test(member))) {
    const detail = 'This must be an ETag as it was sent, such as "12", a list of them, or *.';
    faults.push({ in: 'header', name: 'If-Match', value: header, detail });
    return undefined;
  }
  return members;
}

/** A comma may stand inside a validator, so the list is split at commas outside of quotes only. */
function splitTags(list: string): string[] {
  const members = list.match(/(?:[^,"]|"[^"]*")+/g) ?? [];
  return members.map((member) => member.trim()).filter((member) => member !== '');
}
