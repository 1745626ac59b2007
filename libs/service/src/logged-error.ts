import { isLost } from '#web/startup-error.js';

/** The parts of an error that are logged. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const CAUSES_MAX = 5;

function isError(value: unknown): value is Error {
  return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;
}

/**
 * An error as the log shows it: its name, message, code, stack and causes. Other members stay out:
 * an error of a database connection carries the whole connection with it, and with that settings
 * and values that no log may hold. An outage has no stack: its place in the code explains nothing.
 * Anything else but an error is its text.
 */
export function loggedError(error: unknown, causesMax = CAUSES_MAX): LoggedError {
  if (!isError(error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    ...(stack !== undefined && !isLost(error) && { stack }),
    ...(cause !== undefined && causesMax > 0 && { cause: loggedError(cause, causesMax - 1) }),
  };
}
