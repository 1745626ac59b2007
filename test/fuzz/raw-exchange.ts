import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readAnswers, type ReadAnswers } from './answer-reader.js';
import type { ExchangePlan } from './exchange-plan.js';

/** Time for every answer, from the last byte sent. */
export const ANSWERED_MS_MAX = 15_000;
/** Time until an unfinished request is given up: what a service allows for one, and some more. */
const GIVEN_UP_MS_MAX = 45_000;
/** After that long without a byte nothing more is expected for broken ones. */
const QUIET_MS = 60;

export interface Transcript extends ReadAnswers {
  /** How it ended: both sides are done, the service cut it, or nobody said anything any more. */
  readonly end: 'closed' | 'reset' | 'hangs' | 'refused';
  readonly ms: number;
}

/** Sends the bytes of a plan and reads until everything is said. */
export async function rawExchange(
  { parts, pauseMs, asked, answersMax, ending }: ExchangePlan,
  port: number,
): Promise<Transcript> {
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const read = (): ReadAnswers => readAnswers(Buffer.concat(chunks), asked);
  let end: Transcript['end'] = 'closed';
  let quiet: NodeJS.Timeout | undefined;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code === 'ECONNREFUSED' ? 'refused' : 'reset';
  });
  let sent = false;
  const finish = (): void => {
    if (ending === 'reads' && sent && read().answers.length >= answersMax) socket.end();
  };
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    if (ending === 'half-closes') quiet?.refresh();
    finish();
  });
  socket.on('end', () => socket.end());
  for (const [index, part] of parts.entries()) {
    if (index > 0 && pauseMs !== null) await pause(pauseMs);
    else if (index > 0) await new Promise((resolve) => setImmediate(resolve));
    if (socket.writable) socket.write(part);
  }
  sent = true;
  finish();
  quiet = setTimeout(() => socket.end(), QUIET_MS);
  if (ending !== 'half-closes') clearTimeout(quiet);
  if (ending === 'hangs-up') socket.write('', () => socket.destroy());
  if (ending === 'resets') socket.write('', () => socket.resetAndDestroy());
  const limit = setTimeout(
    () => {
      end = 'hangs';
      socket.destroy();
    },
    ending === 'stalls' ? GIVEN_UP_MS_MAX : ANSWERED_MS_MAX,
  );
  await closed;
  clearTimeout(limit);
  clearTimeout(quiet);
  return { ...read(), end, ms: performance.now() - startedAt };
}
