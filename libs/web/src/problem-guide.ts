import type { ProblemSlug } from './problem.js';

/** Texts of a problem's page: what it means, when it comes, what to do. */
export interface ProblemGuide {
  readonly meaning: string;
  readonly when: string;
  readonly solution: string;
  /** The members of an example beside those that every problem has. */
  readonly example: { readonly detail: string } & Readonly<Record<string, unknown>>;
}

const CALL = '019ab1c2-7d00-7c3e-9a51-0f5d8e2b4c61';

/** One entry for each problem; the compiler holds the two lists together. */
export const PROBLEM_GUIDE: Readonly<Record<ProblemSlug, ProblemGuide>> = {
  'invalid-parameter': {
    meaning: 'A part of the path, the query or a header has a value that is not allowed.',
    when: 'A region that does not exist, a UUID with a typing error, a query parameter on a metered path, a `Credits-Max` that is no number. All wrong ones are listed at once.',
    solution:
      'Read `parameters`: each names its place (`in`), its name, the value that was sent and what is allowed. Where the body is wrong too, `errors` says where and why.',
    example: {
      detail: 'This parameter is wrong: region (path).',
      parameters: [
        {
          in: 'path',
          name: 'region',
          value: 'xx',
          allowed: ['us', 'gb', 'fr', 'kr', 'jp', 'global'],
        },
      ],
    },
  },
  'invalid-body': {
    meaning: 'The JSON body does not match the schema of the resource.',
    when: 'Text that is not JSON; a member that is missing, unknown, duplicated or of the wrong type.',
    solution:
      'Each of `errors` points at a value (`pointer`, RFC 6901) and says what is wrong with it.',
    example: {
      detail: 'Wrong: /urls.',
      errors: [{ pointer: '/urls', detail: 'This is missing: a list.' }],
    },
  },
  unauthenticated: {
    meaning: 'The request carries no credentials: no API key, admin token or session.',
    when: 'The `Authorization` header is missing or uses another scheme than `Bearer`.',
    solution: 'Send `Authorization: Bearer <key>`. Never put a key into the URL.',
    example: { detail: 'Send the header "Authorization: Bearer <key>".' },
  },
  'invalid-key': {
    meaning: 'The key or token in the `Authorization` header is not valid.',
    when: 'It is mistyped (the last six characters are a checksum), unknown, revoked or expired.',
    solution:
      'Compare it with the key you were given; ask for a new one if it was revoked or has expired.',
    example: { detail: 'The API key is unknown, revoked or expired.' },
  },
  'out-of-credits': {
    meaning: 'The account has fewer credits left than the call costs. Nothing was charged.',
    when: 'The balance and the overdraft together do not cover `required_credits`.',
    solution:
      'Buy credits, or call only what is paid for in this week: with `Credits-Max: 10` only repeats are answered.',
    example: {
      detail: 'The call costs 50000 credits; 1200 are available.',
      required_credits: 50000,
      balance: 1200,
      available_credits: 1200,
      kind: 'base',
    },
  },
  'budget-exhausted': {
    meaning: 'A budget that blocks would be exceeded by the call. Nothing was charged.',
    when: 'What was spent in the budget’s period and the cost of the call together exceed its limit.',
    solution: 'Wait for `resets_at`, or have the budget raised.',
    example: {
      detail: 'The call costs 1760 credits; the budget has 300 left.',
      budget_id: '5f0c2a57-6a0f-4f0b-9a39-1b6f4f1f6f11',
      required_credits: 1760,
      left_credits: 300,
      resets_at: '2026-12-01T00:00:00Z',
    },
  },
  'account-suspended': {
    meaning: 'The account is suspended: no metered call is answered.',
    when: 'Its operator has suspended it.',
    solution: 'Ask the operator. Keys and credits stay as they are until the account is resumed.',
    example: { detail: 'The account is suspended; its operator can resume it.' },
  },
  forbidden: {
    meaning: 'The key, token or session is valid, but does not allow this.',
    when: 'A key without the scope `data` calls data, or one without `account:read` reads the account; an admin token asks for what its role may not do.',
    solution: 'Use a key that has the scope, or a token that has the role, named in `detail`.',
    example: { detail: 'The API key lacks the scope "account:read".' },
  },
  'not-found': {
    meaning: 'There is nothing at this address.',
    when: 'No resource has this path (a segment too many, a trailing slash, an empty segment), or the id in it does not exist.',
    solution: 'Compare the path with those in `/docs`.',
    example: { detail: 'There is nothing at this address; /docs lists every path.' },
  },
  'unknown-item': {
    meaning:
      'The address is well formed, but the data holds no such category or brand at that level.',
    when: 'An id or a name from another level, or one that this release does not have.',
    solution: 'Take ids and names from a listing of the same level and window.',
    example: { detail: 'There is no category "skincares" at level cat2.' },
  },
  'unknown-window': {
    meaning: 'There is no data for that week.',
    when: 'The week lies in the future, or before the first release of data.',
    solution: 'Use `latest`, or the label of the running or a past week.',
    example: { detail: 'Window 2027w01 has not begun.' },
  },
  'no-data': {
    meaning: 'The item exists, but the answer would hold no row and no point. Nothing was charged.',
    when: 'The item has no volume in that region, or no relation in that group.',
    solution: 'Try another region or group.',
    example: { detail: 'The category has no ranked items in this group and region.' },
  },
  'method-not-allowed': {
    meaning: 'The address exists, but does not support this method.',
    when: 'For example a `POST` to a resource that can only be read.',
    solution: 'The `Allow` header lists the methods that it supports.',
    example: { detail: 'This address takes GET, HEAD, OPTIONS.' },
  },
  'not-acceptable': {
    meaning: 'The resource has no media type or coding that the request accepts.',
    when: '`Accept` names only types, or `Accept-Encoding` refuses every coding, that are not offered.',
    solution:
      'Accept `application/json` (tables: `text/csv` as well), and leave `identity` allowed.',
    example: {
      detail: 'The answer is available as application/json.',
      available: ['application/json'],
    },
  },
  timeout: {
    meaning: 'The request did not arrive whole in time. Nothing was charged.',
    when: 'The headers took longer than 10 seconds, or the whole request longer than 30.',
    solution: 'Send it again.',
    example: { detail: 'The request did not arrive whole in time.' },
  },
  conflict: {
    meaning: 'The request is well formed, but conflicts with the current state.',
    when: 'For example a rate card for a week that has begun.',
    solution: '`detail` names the values that would fit.',
    example: {
      detail: 'The window has begun; a rate card takes effect at the start of a later one.',
    },
  },
  'idempotency-key-used': {
    meaning:
      'The idempotency key names an earlier call whose answer is no longer replayed. Nothing was charged for this request.',
    when: 'More than 10 minutes have passed, or the charge was given back.',
    solution: 'Read `/v1/calls/{call_id}` for its outcome. For a new call use a new key.',
    example: {
      detail: 'The idempotency key named a call whose answer is no longer replayed.',
      call_id: CALL,
    },
  },
  gone: {
    meaning: 'The resource existed and is no longer available.',
    when: 'The PDF or XML of an invoice whose legal term is over: its parties were removed.',
    solution: 'Request JSON or CSV, which are available without the parties.',
    example: {
      detail:
        'The time for which this document has to be kept is over, and its parties were removed. ' +
        'What is left of it is available as JSON and CSV.',
    },
  },
  'price-above-maximum': {
    meaning: 'The call costs more than the `Credits-Max` of the request. Nothing was charged.',
    when: '`Credits-Max: 10` on something that was not yet called in this week, for example.',
    solution: 'Raise `Credits-Max` to `required_credits`, or do not make the call.',
    example: {
      detail: 'The call costs 1760 credits; Credits-Max allows 10.',
      required_credits: 1760,
      max_credits: 10,
      kind: 'base',
    },
  },
  'precondition-failed': {
    meaning: 'The resource has changed: `If-Match` does not match its `ETag`.',
    when: 'The resource has changed since the version that the request names.',
    solution: 'Read the resource again and repeat the change on its current version.',
    example: { detail: 'The resource has changed since that version.' },
  },
  'too-large': {
    meaning: 'The body is larger than the limit.',
    when: 'More than 1 MiB.',
    solution: 'Split it.',
    example: { detail: 'The body is larger than 1 MiB.' },
  },
  'uri-too-long': {
    meaning: 'The address is longer than the limit.',
    when: 'More than 8192 characters.',
    solution: 'No resource needs such an address; compare it with `/docs`.',
    example: { detail: 'An address holds at most 8192 characters.' },
  },
  'unsupported-media-type': {
    meaning: 'The body is of a type, charset or coding that is not supported.',
    when: 'Any body but uncompressed `application/json` in UTF-8.',
    solution: 'Send `Content-Type: application/json`.',
    example: { detail: 'A body is taken as application/json only.' },
  },
  'idempotency-conflict': {
    meaning: 'The idempotency key was used for another request. Nothing was charged.',
    when: 'The same `Idempotency-Key` with another path, method or body. `call_id` is the call that the key names, where it names one.',
    solution: 'Use a new key for each call; repeat a key only to repeat its request.',
    example: { detail: 'The idempotency key names another request.' },
  },
  'rate-limited': {
    meaning:
      'The key, its account, the session or the address made too many requests in a short time. Nothing was charged.',
    when: 'More than 50 a second with one key for longer than a burst of 100, or 500 with all keys of an account for longer than a burst of 1,000, unless the account has a limit of its own (`RateLimit-Policy`). 50 a second in a session of the portal; 100 from an address without a valid key.',
    solution: 'Wait for as many seconds as `Retry-After` says.',
    example: { detail: 'More than 50 requests a second with this key.' },
  },
  'headers-too-large': {
    meaning: 'The headers of the request are larger than the limit.',
    when: 'More than 32 KiB together.',
    solution: 'Send fewer or shorter headers.',
    example: { detail: 'The headers hold more than 32768 bytes.' },
  },
  internal: {
    meaning: 'The service failed unexpectedly. Nothing was charged for this answer.',
    when: 'It should not happen; each one is logged under the id in `instance`.',
    solution: 'Try again; if it fails again, report the id to the operator.',
    example: { detail: 'The error is in the log under the id of this request.' },
  },
  'accounting-unavailable': {
    meaning:
      'The call could not be charged, so it was not answered. It was not and will not be charged.',
    when: 'Accounting or its database does not answer, or a new week began at that very moment.',
    solution: 'Repeat the request after `Retry-After` seconds.',
    example: { detail: 'Charging does not answer.' },
  },
  'outcome-unknown': {
    meaning:
      'The connection to the database was lost while the charge was written: it is not known yet whether the call was charged.',
    when: 'Very rarely, when the database goes away in the middle of a commit.',
    solution:
      'Repeat the request with the same `Idempotency-Key`: it is charged once. Without a repeat a charge that was written is refunded.',
    example: { detail: 'The service settles it by itself.', call_id: CALL },
  },
};
