import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A running postmaster, as its watch sees it. */
export interface WatchedServer {
  readonly port: number;
  readonly hasEnded: boolean;
  /** It is shutting down: it takes no connections, and may wait for those that it has. */
  readonly isStopping: boolean;
}

export interface WatchTimings {
  readonly lookMs: number;
  /** How often a connection is opened, and how long it may wait for its first byte. */
  readonly connectEveryMs: number;
  readonly answerMsMax: number;
}

const TIMINGS: WatchTimings = { lookMs: 250, connectEveryMs: 2_000, answerMsMax: 4_000 };
/** The first may be late because the machine stood still. */
const SILENT_MAX = 2;
/** Asks for TLS: a server answers with one byte, however many are connected. */
const GREETING = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Resolves with the reason when a server takes no connections any more although it runs; undefined
 * once it has ended, or `signal` is aborted. A server that recovers from a crash is left to it.
 */
export async function watchServer(
  server: WatchedServer,
  signal: AbortSignal,
  timings: WatchTimings = TIMINGS,
): Promise<string | undefined> {
  const { lookMs, connectEveryMs, answerMsMax } = timings;
  let silent = 0;
  for (let askedAt = performance.now(); ; await delay(lookMs, undefined, { ref: false })) {
    if (server.hasEnded || signal.aborted) return undefined;
    if (server.isStopping) return 'it is shutting down';
    if (performance.now() - askedAt < connectEveryMs) continue;
    if (await answers(server.port, answerMsMax)) {
      silent = 0;
      askedAt = performance.now();
      continue;
    }
    silent += 1;
    if (silent >= SILENT_MAX && !server.hasEnded) return 'it does not answer';
  }
}

/** Whether a server answers a new connection in any way. */
function answers(port: number, mostMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(GREETING));
    const end = (isAnswered: boolean): void => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.setTimeout(mostMs, () => end(false));
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
