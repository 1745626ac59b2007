import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { freePort } from '#embedded-postgres/free-port.js';
import { FaultyProxy } from './faulty-proxy.js';
import type { ServedDatabase } from './given-database.js';
import type { Journal } from './journal.js';
import { SupervisedProcess } from './supervised.js';

export const ADMIN_TOKEN = 'an-admin-token-of-the-torture-0123456789';
const CHARGING_SECRET = 'a-charging-secret-of-the-torture-0123456789';
const EACH = [0, 1] as const;
/** Of each API process: one answers by itself. */
const WORKERS = [0, 2] as const;
/** Of each accounting process: one decides in its main thread. */
const DECIDERS = [0, 2] as const;
const POLL_MS = 50;
/** After its processes and PostgreSQL accept connections, the service is ready within this. */
const READY_MS_MAX = 15_000;
/** A turn of the event loop, and the way of its answer through a proxy, on a busy machine. */
const LAST_TURN_MS = 500;
const PATIENCE_MS = 60_000;

export const LINK_KINDS = [
  'client-api',
  'api-accounting',
  'api-postgres',
  'accounting-postgres',
] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/** The way from one process to another, through a proxy of its own. */
export interface Link {
  readonly kind: LinkKind;
  readonly name: string;
  readonly proxy: FaultyProxy;
  /** The API process whose clients feel it directly; else null. */
  readonly api: number | null;
}

interface Disturbance {
  readonly api: number;
  readonly from: number;
  until: number;
  /** Connections that were open then never carry anything again. */
  readonly deadly: boolean;
}

async function link(
  kind: LinkKind,
  name: string,
  port: number,
  targetPort: number,
  api: number | null = null,
): Promise<Link> {
  return { kind, name, proxy: await FaultyProxy.start(port, targetPort), api };
}

/** Two API and two accounting processes, their database, and a proxy between each two of them. */
export class Site {
  private stopped: Promise<void> | undefined;
  /** Calls that have to succeed before the service counts as ready; answers those that do not. */
  probe: (apis: readonly SupervisedProcess[]) => Promise<string[]> = async () => [];
  private readonly disturbances: Disturbance[] = [];

  private constructor(
    readonly apis: readonly SupervisedProcess[],
    readonly accountings: readonly SupervisedProcess[],
    readonly links: readonly Link[],
    /** Where clients find each API process. */
    readonly clientPorts: readonly number[],
    readonly adminPorts: readonly number[],
    private readonly pool: pg.Pool,
    private readonly journal: Journal,
  ) {}

  static async start(
    database: ServedDatabase,
    pool: pg.Pool,
    folder: string,
    journal: Journal,
  ): Promise<Site> {
    const links: Link[] = [];
    const add = async (...plan: Parameters<typeof link>): Promise<number> => {
      links.push(await link(...plan));
      return plan[2];
    };
    const ports = async (): Promise<number[]> => [await freePort(), await freePort()];
    const [apiPorts, adminPorts, chargingPorts] = [await ports(), await ports(), await ports()];
    const clientPorts: number[] = [];
    const accountings: SupervisedProcess[] = [];
    const apis: SupervisedProcess[] = [];
    const common = { CHARGING_SECRET, DATA_DIR: path.join(folder, 'unused') };
    for (const at of EACH) {
      const name = `accounting-${at}`;
      const database0 = await freePort();
      await add('accounting-postgres', `${name}→postgres`, database0, database.port);
      const env = {
        ...common,
        DATABASE_URL: database.urlBy(database0),
        ADMIN_TOKEN,
        ACCOUNTING_PORT: String(adminPorts[at]),
        CHARGING_PORT: String(chargingPorts[at]),
        DECIDERS: String(DECIDERS[at]),
        PORTAL_PORT: String(await freePort()),
        BASE_URL: `http://127.0.0.1:${apiPorts[0]}`,
      };
      const logFile = path.join(folder, `${name}.log`);
      const clockFile = path.join(folder, `${name}.clock`);
      const port = adminPorts[at] ?? 0;
      const plan = { name, app: 'accounting', env, port, logFile, clockFile } as const;
      accountings.push(new SupervisedProcess(plan, journal));
    }
    for (const at of EACH) {
      const name = `api-${at}`;
      const [database0, client0] = [await freePort(), await freePort()];
      await add('api-postgres', `${name}→postgres`, database0, database.port);
      clientPorts.push(await add('client-api', `client→${name}`, client0, apiPorts[at] ?? 0, at));
      const urls: string[] = [];
      for (const to of EACH) {
        const port = await freePort();
        await add('api-accounting', `${name}→accounting-${to}`, port, chargingPorts[to] ?? 0);
        urls.push(`tcp://127.0.0.1:${port}`);
      }
      const env = {
        ...common,
        DATABASE_URL: database.urlBy(database0),
        API_PORT: String(apiPorts[at]),
        CHARGING_URLS: urls.join(','),
        API_WORKERS: String(WORKERS[at]),
      };
      const logFile = path.join(folder, `${name}.log`);
      const clockFile = path.join(folder, `${name}.clock`);
      const port = apiPorts[at] ?? 0;
      const plan = { name, app: 'api', env, port, logFile, clockFile } as const;
      apis.push(new SupervisedProcess(plan, journal));
    }
    return new Site(apis, accountings, links, clientPorts, adminPorts, pool, journal);
  }

  get processes(): readonly SupervisedProcess[] {
    return [...this.apis, ...this.accountings];
  }

  /** The clients of an API process cannot be answered from now on; ends what it returns. */
  disturb(api: number, deadly = false): () => void {
    const disturbance = { api, from: performance.now(), until: Infinity, deadly };
    this.disturbances.push(disturbance);
    return () => (disturbance.until = performance.now());
  }

  /** Whether an attempt on a connection of this age met a disturbance of its own connection. */
  wasDisturbed(api: number, openedAt: number, from: number, until: number): boolean {
    return this.disturbances.some((one) => {
      if (one.api !== api || one.from > until) return false;
      return one.until >= from || (one.deadly && one.from >= openedAt);
    });
  }

  /** True if it or a worker was killed since then, and this connection had no other fault. */
  wasKilled(api: number, openedAt: number, since: number): boolean {
    const isKilled = this.apis[api]?.killedAt.some((at) => at >= since) ?? false;
    return isKilled && !this.wasDisturbed(api, openedAt, since, performance.now());
  }

  /**
   * True if it or a worker was killed so close to an answer that it may not have struck out the
   * call: such a call is given back although it was delivered (decision 6).
   */
  wasKilledAround(api: number, endedAt: number): boolean {
    const kills = this.apis[api]?.killedAt ?? [];
    return kills.some((at) => Math.abs(at - endedAt) < LAST_TURN_MS);
  }

  /**
   * Waits until the service serves, and holds it to its time: that begins when every process and
   * PostgreSQL accept connections.
   */
  async recovered(after: string): Promise<void> {
    const accepting = await this.wait(async () => {
      const states = await Promise.all(this.processes.map((process) => process.accepts()));
      return states.every(Boolean) && (await this.postgresAnswers());
    });
    if (!accepting) return this.complain(after, 'does not accept connections');
    const since = performance.now();
    let last: string[] = [];
    const ready = await this.wait(async () => {
      const now = await this.unready();
      if (now.length > 0) last = now;
      return now.length === 0;
    });
    if (!ready) return this.complain(after, 'is not ready');
    const ms = performance.now() - since;
    this.journal.measure('recovery', ms);
    if (ms > READY_MS_MAX) {
      const text = `It took ${Math.round(ms)} ms after ${after}.`;
      this.journal.violation('ready within 15 s', text, last.join('\n'));
    }
  }

  /** Ends every process in order; more than once is once. */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end()));
    await Promise.all(this.links.map(({ proxy }) => proxy.stop()));
  }

  private async unready(): Promise<string[]> {
    const states = await Promise.all(
      this.processes.map(async (process) => {
        const state = await process.unready();
        return state === null ? [] : [`${process.name}: ${state}`];
      }),
    );
    const untrue = states.flat().length === 0 ? await this.probe(this.apis) : [];
    return [...states.flat(), ...untrue];
  }

  private async complain(after: string, what: string): Promise<void> {
    const tails = this.processes.map((process) => `${process.name}\n${process.tail()}`);
    const evidence = [...(await this.unready()), ...tails].join('\n');
    const text = `The service ${what} ${PATIENCE_MS} ms after ${after}.`;
    this.journal.violation('recovers', text, evidence);
  }

  private async postgresAnswers(): Promise<boolean> {
    try {
      await this.pool.query('select');
      return true;
    } catch {
      return false;
    }
  }

  private async wait(condition: () => Promise<boolean>): Promise<boolean> {
    const until = performance.now() + PATIENCE_MS;
    while (!(await condition())) {
      if (performance.now() > until) return false;
      await delay(POLL_MS);
    }
    return true;
  }
}
