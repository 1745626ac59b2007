import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChargeRequest } from '#account/charging.js';
import { ChargingServer, type ChargingServerOptions } from '../src/charging-server.js';
import { RemoteCharging, type RemoteChargingOptions } from '../src/remote-charging.js';
import { DecidingCharging } from './deciding-charging.js';
import { Wire } from './wire.js';

export const SECRET = 'the secret that both sides of a test know';
export const RESOURCE = {
  resource: 'trends',
  level: 'cat1',
  limit: 'top5',
  region: 'us',
  category: 'beauty',
} as const;
const KEY = '/v1/2026w47/cat1/trends/top5/popindex/us/beauty';
const PATIENCE_MS = 10_000;

/** Waits for a condition, and fails with its text when it does not come true. */
export async function until(condition: () => boolean, what = condition.toString()): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`It never happened: ${what}`);
    await pause(2);
  }
}

/** A first call of a resource that may be charged for ten seconds. */
export function requestOf(members: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    callId: randomUUID(),
    accountId: randomUUID(),
    apiKey: 1,
    key: KEY,
    asked: '/v1/latest/cat1/trends/top5/popindex/us/beauty',
    resource: RESOURCE,
    rows: 5,
    window: '2026w47',
    release: '2026w46',
    maxCredits: null,
    tags: null,
    isRetry: false,
    notAfter: Date.now() + 10_000,
    ...members,
  };
}

/** One accounting process: a port, its server, and a wire in front of it. */
export interface Process {
  readonly charging: DecidingCharging;
  readonly server: ChargingServer;
  readonly wire: Wire;
  /** The wire's address. */
  readonly url: string;
  /** The server's own address, past the wire. */
  readonly directUrl: string;
  readonly unsettled: string[];
  readonly faults: string[];
}

/** Starts processes and adapters for one test, and stops whatever it started. */
export class Scene {
  readonly faults: string[] = [];
  private readonly started: (() => Promise<void>)[] = [];

  async process(
    charging = new DecidingCharging(),
    options: Partial<ChargingServerOptions> = {},
  ): Promise<Process> {
    const unsettled: string[] = [];
    const faults: string[] = [];
    const server = new ChargingServer({
      charging,
      secret: SECRET,
      onUnsettled: ({ callId }) => void unsettled.push(callId),
      onFault: (error) => faults.push(messageOf(error)),
      ...options,
    });
    const port = await server.listen('127.0.0.1', 0);
    const wire = new Wire(port);
    const url = await wire.listen();
    this.started.push(async () => {
      await wire.close();
      await server.close(0);
    });
    const directUrl = `tcp://127.0.0.1:${port}`;
    return { charging, server, wire, url, directUrl, unsettled, faults };
  }

  /** An adapter that is connected to every process named. */
  async remote(
    urls: readonly string[],
    options: Partial<RemoteChargingOptions> = {},
  ): Promise<RemoteCharging> {
    const remote = this.unconnected(urls, options);
    await until(() => remote.connected === urls.length, 'every process is connected');
    return remote;
  }

  unconnected(
    urls: readonly string[],
    options: Partial<RemoteChargingOptions> = {},
  ): RemoteCharging {
    const remote = new RemoteCharging({
      urls,
      secret: SECRET,
      clock: { now: () => Date.now() },
      onFault: (error) => this.faults.push(messageOf(error)),
      graceMs: 20,
      settleRetryMs: 20,
      ...options,
      timings: { reconnectFirstMs: 5, reconnectMostMs: 50, ...options.timings },
    });
    this.started.push(() => remote.close(0));
    return remote;
  }

  async end(): Promise<void> {
    for (const stop of this.started.toReversed()) await stop();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
