export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** A request of an operator. */
export interface Asked {
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Buffer;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: no Authorization at all. */
  readonly authorization?: string | null;
  /** Takes a list that lacks what its rows do not hold yet; others are asked for again. */
  readonly mayLag?: boolean;
}

/** The body of an answer; empty where it is no JSON. */
export function jsonOf(type: unknown, text: string): Readonly<Record<string, unknown>> {
  const isJson = typeof type === 'string' && /^application\/(?:problem\+)?json\b/.test(type);
  return isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
}
