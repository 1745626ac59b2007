import type { Header, Parameter } from '#web/openapi-document.js';

// Headers of requests and answers as documents show them.

const TEXT = { type: 'string' } as const;

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names this change for ever: the same request under it is answered again without a second ' +
    'change, another one is refused. Its scope is the account.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

export const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` that this change is meant for, several, or `*`: of any other the change is refused. ' +
    'Budgets, billing details and the seller have their own, which changes when they are changed; ' +
    'that of everything else is its account’s, which anything that happens changes, a call too.',
  schema: TEXT,
  example: '"12"',
};

/** No page of another site can send it. */
export const REQUESTED_WITH: Parameter = {
  name: 'X-Requested-With',
  in: 'header',
  required: true,
  description: 'Proves that a page of the portal sends the request.',
  schema: { type: 'string', const: 'portal' },
};

/** The validator of what is read: that of its account, or its own. */
export const ETAGS: Readonly<Record<'account' | 'own', Header>> = {
  account: {
    description: 'Version of the account, for `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9]+"$' },
  },
  own: {
    description: 'Version for `If-Match`. Every change of the resource gives it another one.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9A-Za-z_-]+"$' },
  },
};

export const REPLAYED: Header = {
  description: '`true` on the answer to a retry.',
  schema: { const: 'true' },
};

export const SET_COOKIE: Header = {
  description: 'HttpOnly and SameSite=Strict; a change with it needs `X-Requested-With`.',
  schema: TEXT,
};

export const LOCATION: Header = {
  description: 'URL of what was created, or of its progress.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
};

export const LAG: Header = {
  description: 'Events of the log that the list may not show yet; absent when there are none.',
  schema: { type: 'integer', minimum: 1 },
};

export const LOG_POSITIONS: Header = {
  description:
    'How far the log was read at least: `lane:position` of each lane that has events, with spaces ' +
    'between them. In a cluster each lane is of its own moment.',
  required: true,
  schema: { type: 'string', pattern: '^(\\d+:\\d+( |$))*$' },
};

export const LINK: Header = { description: 'The next page (`rel="next"`).', schema: TEXT };

/** The rates that a caller of the public API has left. */
export const RATE_HEADERS: Readonly<Record<string, Header>> = {
  'RateLimit-Policy': {
    description: 'The quotas of this API key and of its account: `q` requests in `w` seconds.',
    required: true,
    schema: { type: 'string', pattern: '^"key";q=\\d+;w=\\d+, "account";q=\\d+;w=\\d+$' },
  },
  RateLimit: {
    description: 'What is left of each quota: `r` requests within `t` seconds.',
    required: true,
    schema: { type: 'string', pattern: '^"key";r=\\d+;t=\\d+, "account";r=\\d+;t=\\d+$' },
  },
};
