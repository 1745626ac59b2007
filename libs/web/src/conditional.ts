import { createHash } from 'node:crypto';

/**
 * The weak validator of an answer: of its key and its release, not of its charge. The same data has
 * the same one, whoever asks and whatever it cost.
 */
export function entityTag(key: string, release: string): string {
  const hash = createHash('sha256').update(`${release}\n${key}`).digest('base64url');
  return `W/"${hash.slice(0, 22)}"`;
}

const MEMBER = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** If-None-Match (RFC 9110, 13.1.2): a list of validators or `*`, compared weakly. */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace('W/', '');
  return splitTags(ifNoneMatch).some(
    (member) => MEMBER.test(member) && member.replace(/^W\//, '') === opaque,
  );
}

/** A comma may stand inside a validator, so the list is split at commas outside of quotes only. */
function splitTags(list: string): string[] {
  return (list.match(/(?:[^,"]|"[^"]*")+/g) ?? []).map((member) => member.trim());
}
