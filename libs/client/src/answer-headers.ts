const headers = new WeakMap<object, Headers>();

/** Keeps the headers of an answer beside its value. */
export function rememberHeaders<Answer>(answer: Answer, own: Headers): Answer {
  if (typeof answer === 'object' && answer !== null) headers.set(answer, own);
  return answer;
}

/** The headers that came with an answer: `Call-Id`, `RateLimit`, `Idempotent-Replayed` … */
export function headersOf(answer: object): Headers {
  const own = headers.get(answer);
  if (own === undefined) throw new TypeError('This is no answer of a client.');
  return own;
}

/** The `ETag` that came with an answer, for `ifMatch`. */
export function etagOf(answer: object): string {
  const tag = headersOf(answer).get('etag');
  if (tag === null) throw new TypeError('This answer has no ETag.');
  return tag;
}
