/** Thrown for a cursor that the list has not returned. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
  constructor(readonly cursor: string) {
    super('This list has not returned this cursor.');
  }
}

/** Thrown for a moment at which an account was not open yet, or that it has not come to. */
export class BadMomentError extends Error {
  override readonly name = 'BadMomentError';
  constructor(
    /** Ms since 1970. */
    readonly moment: number,
    message: string,
  ) {
    super(message);
  }
}

/** Thrown for sums over so much of the log that the database has not come to an end in time. */
export class UsageTimeoutError extends Error {
  override readonly name = 'UsageTimeoutError';
}
