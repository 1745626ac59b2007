import { portsBetween } from '#embedded-postgres/free-port.js';

/** Below those that services pick by themselves, and may be given while nobody listens yet. */
const FIRST_PORT = 10_000;
const RANGES = 10;
const RANGE = 1_000;

const range = Number(process.env['JEST_WORKER_ID'] ?? 0) % RANGES;
const first = FIRST_PORT + range * RANGE;

/** A port of 127.0.0.1 for a server that starts a moment later: no other worker is given it. */
export const freePort = portsBetween(first, first + RANGE - 1);
