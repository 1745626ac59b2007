import { requestIdOf } from '../rest/problem.js';

const HASH_START = 0x811c9dc5;
const HASH_STEP = 0x01000193;

/** An error as it can be quoted to whoever runs the service. */
export interface Failure {
  /** Id of the request, which finds it in the log; a fault of the page has the same each time. */
  readonly reference: string;
  /** Everything that is known about it, as lines of text. */
  readonly details: string;
}

/** Where and when an error was met. */
export interface FailurePlace {
  readonly address: string;
  readonly at: string;
  readonly browser: string;
}

/** An error for whoever looks into it. The query of the address is left out: it may name people. */
export function failureOf(error: unknown, { address, at, browser }: FailurePlace): Failure {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const reference = requestIdOf(error) ?? hashOf(text);
  const { origin, pathname } = new URL(address);
  const named = text.includes(String(error)) ? text : `${String(error)}\n${text}`;
  const lines = [`Reference ${reference}`, at, `${origin}${pathname}`, browser, named];
  return { reference, details: lines.join('\n') };
}

/** FNV-1a: short enough to be read out. */
function hashOf(text: string): string {
  let hash = HASH_START;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), HASH_STEP);
  }
  const hex = (hash >>> 0).toString(16).padStart(8, '0').toUpperCase();
  return `${hex.slice(0, 4)}-${hex.slice(4)}`;
}
