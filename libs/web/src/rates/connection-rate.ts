import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Buckets } from './buckets.js';
import { CallerAddresses } from './caller-address.js';
import type { RatePolicy } from './token-bucket.js';

/** New connections of an address; so many beyond the burst wait for their turn. */
export const CONNECTION_RATE: RatePolicy = { perSecond: 200, burst: 500 };
const ADDRESSES_MAX = 50_000;

/**
 * Lets each address open so many connections a second. What is beyond the burst is not read until
 * it is its turn, and what is beyond a second burst is closed: making a connection costs more than
 * refusing a request. Connections of trusted proxies are everybody's, and not counted.
 */
export class ConnectionRate {
  readonly #addresses: CallerAddresses;
  readonly #buckets = new Buckets('address', ADDRESSES_MAX, 'share');

  constructor(
    trustProxy: readonly string[],
    private readonly policy = CONNECTION_RATE,
    private readonly monotonic = () => performance.now(),
  ) {
    this.#addresses = new CallerAddresses(trustProxy);
  }

  /** Stands before the server's own listener, which sets up a reader of requests. */
  attach(server: Server): void {
    const own = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const waitMs = this.waitMs(socket.remoteAddress ?? '');
      const admit = (): void => {
        for (const listener of own) listener.call(server, socket);
      };
      if (waitMs === 0) admit();
      else if (waitMs === null) socket.destroy();
      else holdBack(server, socket, waitMs, admit);
    });
  }

  /** Counts a connection: the ms that it has to wait; null if it is one too many. */
  waitMs(peer: string): number | null {
    if (this.#addresses.isTrusted(peer)) return 0;
    const now = this.monotonic();
    const id = this.#addresses.of({ headers: {}, socket: { remoteAddress: peer } });
    const { bucket } = this.#buckets.of(id, this.policy, now);
    const isFree = bucket.has(now, 1);
    if (bucket.owed >= this.policy.burst) return null;
    bucket.take(1);
    return isFree ? 0 : bucket.msOwed;
  }
}

function holdBack(server: Server, socket: Socket, waitMs: number, admit: () => void): void {
  const ignore = (): void => undefined;
  socket.pause().on('error', ignore);
  const turn = setTimeout(() => {
    socket.removeListener('close', cancel).removeListener('error', ignore);
    if (server.listening && !socket.destroyed) {
      admit();
      socket.resume();
    } else socket.destroy();
  }, waitMs);
  const cancel = (): void => clearTimeout(turn);
  socket.once('close', cancel);
}
