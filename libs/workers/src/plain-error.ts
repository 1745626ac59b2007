/** An error as plain data, with the members by which a database's faults are recognized. */
export interface PlainError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly cause?: PlainError | undefined;
}

export function plainError(error: unknown): PlainError {
  const { message = String(error), stack, code, cause } = Object(error) as Partial<PlainError>;
  return { message, stack, code, cause: cause === undefined ? undefined : plainError(cause) };
}

export function errorOf({ message, stack, code, cause }: PlainError): Error {
  const error = new Error(message, cause && { cause: errorOf(cause) });
  return Object.assign(error, { stack }, code !== undefined && { code });
}
