import type { IncomingMessage } from 'node:http';
import { API_KEY_PREFIXES, apiKeyPrefix, isApiKey } from '#account/api-key.js';
import type { KeyEnd } from '#account/key-directory.js';
import { ADMIN_TOKEN_PREFIX } from '#rest/admin-tokens/new-admin-token.js';
import { formatInstant } from '#calendar/instant.js';
import type { Problem } from '#web/problem.js';
import { invalidKey, SEVERAL_AUTHORIZATIONS, unauthenticated } from '#web/refusal-problem.js';

const BEARER = 'bearer';
const AUTHORIZATION = 'authorization';

/** The API key of a request, or the problem of one without a text that could be a key. */
export function bearerToken({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | Problem {
  const { authorization } = headers;
  if (authorization === undefined) return unauthenticated('key', headers);
  // Node keeps the first of several; which of them a proxy had looked at, nobody knows.
  if (countOf(rawHeaders, AUTHORIZATION) > 1) return invalidKey(SEVERAL_AUTHORIZATIONS);
  const space = authorization.indexOf(' ');
  const scheme = space === -1 ? authorization : authorization.slice(0, space);
  if (scheme !== 'Bearer' && scheme.toLowerCase() !== BEARER) {
    return unauthenticated('key', headers);
  }
  const token = space === -1 ? '' : authorization.slice(space + 1).trim();
  return isApiKey(token) ? token : invalidKey(whyNoKey(token));
}

function whyNoKey(token: string): string {
  if (token === '') return 'No key stands behind the word Bearer.';
  if (token.startsWith(ADMIN_TOKEN_PREFIX)) {
    return 'That is an admin token: it opens the admin REST, and the API takes an API key.';
  }
  if (apiKeyPrefix(token) === undefined) {
    const prefixes = API_KEY_PREFIXES.join(' or ');
    return `That is no API key: one begins with ${prefixes}. An admin token opens the admin REST alone.`;
  }
  return 'That is no API key: it was cut short or mistyped, for its check digits do not fit.';
}

/** The refusal of a key that nobody was ever issued. */
export function unknownKey(): Problem {
  return invalidKey(
    'The API key is unknown: compare it with the one that was issued, and the address of the service.',
  );
}

/** The refusal of a key that was issued and is over: whoever comes with it has its secret. */
export function endedKey({ revokedAt, expiresAt }: Partial<KeyEnd>): Problem {
  const revoked = revokedAt ?? null;
  const how = revoked === null ? 'expired' : 'was revoked';
  const at = revoked ?? expiresAt ?? null;
  const when = at === null ? '' : ` at ${formatInstant(at)}`;
  return invalidKey(`The API key ${how}${when}: ask for another one.`);
}

/** The number of times that a header was sent. `name` in lower case. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}
