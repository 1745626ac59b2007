import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which systems pick ports of outgoing connections: a client that retries a
 * port of that range may be given the port itself, connect to itself and so keep the server out.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const ATTEMPTS_MAX = 100;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

/** Answers ports of 127.0.0.1, from `first` to `last`, that nobody listens on at that moment. */
export function portsBetween(first: number, last: number): () => Promise<number> {
  // Each process starts elsewhere and goes on: it gives no port twice.
  let next = randomInt(first, last + 1);
  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const port = next;
      next = port === last ? first : port + 1;
      if (await isFree(port)) return port;
    }
    throw new Error(`No free port between ${first} and ${last}.`);
  };
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export const freePort = portsBetween(FIRST_PORT, LAST_PORT);
