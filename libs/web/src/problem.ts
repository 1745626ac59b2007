/**
 * Every refusal that is ever sent, by slug: its HTTP status and its title. A slug is for ever: it
 * stands in clients' programs and in the addresses of the pages that explain it.
 */
export const PROBLEMS = {
  'invalid-parameter': { status: 400, title: 'A parameter is wrong' },
  'invalid-body': { status: 400, title: 'The body is wrong' },
  unauthenticated: { status: 401, title: 'Credentials are needed' },
  'invalid-key': { status: 401, title: 'The key or token is not valid' },
  'out-of-credits': { status: 402, title: 'The credits do not cover this call' },
  'credits-held': { status: 402, title: 'The credits are held for other calls' },
  'budget-exhausted': { status: 402, title: 'A budget does not cover this call' },
  'account-suspended': { status: 403, title: 'The account is suspended' },
  forbidden: { status: 403, title: 'This is not allowed' },
  'not-found': { status: 404, title: 'There is no such resource' },
  'unknown-item': { status: 404, title: 'The data holds no such item' },
  'unknown-window': { status: 404, title: 'There is no data for that window' },
  'no-data': { status: 404, title: 'The answer would be empty' },
  'method-not-allowed': { status: 405, title: 'The resource does not support this method' },
  'not-acceptable': { status: 406, title: 'No acceptable media type' },
  timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The request conflicts with the current state' },
  'idempotency-key-used': { status: 409, title: 'The idempotency key was used before' },
  'idempotency-in-progress': { status: 409, title: 'The first request is not done yet' },
  'hold-closed': { status: 409, title: 'The hold has ended' },
  'hold-limit': { status: 409, title: 'The account has too many open holds' },
  gone: { status: 410, title: 'The resource is no longer available' },
  'price-above-maximum': { status: 412, title: 'The call costs more than its maximum' },
  'precondition-failed': { status: 412, title: 'The resource has changed' },
  'too-large': { status: 413, title: 'The body is too large' },
  'uri-too-long': { status: 414, title: 'The address is too long' },
  'unsupported-media-type': { status: 415, title: 'The body is of the wrong type' },
  'idempotency-conflict': { status: 422, title: 'The idempotency key names another request' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Internal error' },
  'accounting-unavailable': { status: 503, title: 'Calls cannot be charged right now' },
  'outcome-unknown': { status: 504, title: 'It is not known yet whether the call was charged' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemSlug = keyof typeof PROBLEMS;
type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** A refusal as a value: what is sent as application/problem+json (RFC 9457). */
export interface Problem {
  readonly slug: ProblemSlug;
  /** One or two sentences about this one occurrence. */
  readonly detail: string;
  /** Further members of the body, in snake_case. */
  readonly members: Members;
  /** Further headers of the answer, names in lower case. */
  readonly headers: Headers;
}

const NONE = {};

export function problem(
  slug: ProblemSlug,
  detail: string,
  members: Members = NONE,
  headers: Headers = NONE,
): Problem {
  return { slug, detail, members, headers };
}

/** The refusal of a path that no resource has. */
export const NOTHING_HERE = problem(
  'not-found',
  'There is nothing at this address; /docs lists every path.',
);

const SLASH_TOO_MANY = problem(
  'not-found',
  'There is nothing at this address, but at the one without the slash at its end.',
);

/** The same of a path that was sent. `isKnown`: whether a resource has a path. */
export function nothingAt(path: string, isKnown: (path: string) => boolean): Problem {
  return path.endsWith('/') && isKnown(path.slice(0, -1)) ? SLASH_TOO_MANY : NOTHING_HERE;
}

/** Carries a problem out of code that cannot answer by itself. */
export class ProblemException extends Error {
  override readonly name = 'ProblemException';

  constructor(readonly problem: Problem) {
    super(`${problem.slug}: ${problem.detail}`);
  }
}

/**
 * Returns the answer; throws a ProblemException (`not-found`) if it is undefined. `what` names it.
 */
export function found<Found>(answer: Found | undefined, what: string): Found {
  if (answer !== undefined) return answer;
  throw new ProblemException(problem('not-found', `There is no such ${what}.`));
}

export function statusOf(refused: Problem): number {
  return PROBLEMS[refused.slug].status;
}

/** A problem as a line of JSON. `baseUrl`: the public address, without a slash at its end. */
export function problemBody(refused: Problem, baseUrl: string, requestId: string): string {
  const { status, title } = PROBLEMS[refused.slug];
  const body = JSON.stringify({
    type: `${baseUrl}/problems/${refused.slug}`,
    code: refused.slug,
    title,
    status,
    detail: refused.detail,
    instance: `urn:uuid:${requestId}`,
    ...refused.members,
  });
  return `${body}\n`;
}
