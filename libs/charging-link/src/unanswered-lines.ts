import { isUnsettledCall, type UnsettledCall } from './messages.js';

/** Line of a call whose charge is about to be requested. `n` numbers the calls of one process. */
export function recordedLine(n: number, { callId, accountId, requestId }: UnsettledCall): string {
  const named = `+${n} ${callId} ${accountId}`;
  return requestId === undefined ? `${named}\n` : `${named} ${requestId}\n`;
}

/** Line that strikes a call out: its request is over. */
export function struckLine(n: number): string {
  return `-${n}\n`;
}

/**
 * Calls that the files of one process hold and do not strike out. A last line without its end was
 * torn by the kill: its charge was not requested, or its call stays in doubt.
 */
export function openCalls(texts: readonly string[]): UnsettledCall[] {
  const open = new Map<string, UnsettledCall>();
  const struck = new Set<string>();
  for (const text of texts) {
    for (const line of text.split('\n').slice(0, -1)) {
      const [n = '', callId, accountId, requestId] = line.slice(1).split(' ');
      if (line.startsWith('-')) struck.add(n);
      const call = { callId, accountId, requestId };
      if (line.startsWith('+') && isUnsettledCall(call)) open.set(n, call);
    }
  }
  for (const n of struck) open.delete(n);
  return [...open.values()];
}
