import type pg from 'pg';
import { databaseServers, serverAddress } from '#database/database-servers.js';
import { openDatabase, withClient, type DatabaseOptions } from '#database/database.js';
import { needsNewConnection } from '#database/errors.js';
import { placedGroups } from './stored-groups.js';

type Use<Result> = (client: pg.PoolClient) => Promise<Result>;

/** Lends the connections on which appends are sent. */
export interface AppendConnections {
  /** One for the group of this lane. `use` is called once, or not at all. */
  lend<Result>(lane: number, use: Use<Result>): Promise<Result>;
}

/** Lanes of a worker whose appends take the way through the coordinator. */
export interface IndirectLanes {
  readonly lanes: readonly number[];
  /** Host and port of the worker, as the cluster knows it. */
  readonly address: string;
  /** Whether the connection string names it: then it did not answer as that one. */
  readonly isNamed: boolean;
}

/** A server that the connection string names, by the address that the cluster has for it. */
interface Server {
  readonly pool: pg.Pool;
  /** When a connection was lost, by `performance.now()`. */
  lostAt: number;
}

interface FoundServers {
  /** By lane. */
  readonly servers: ReadonlyMap<number, Server>;
  /** When the look for them began, by `performance.now()`. */
  readonly lookedAt: number;
}

const READ_WRITE = 'target_session_attrs=read-write';
const POLL_MS = 1_000;
/** Age from which what was found is in doubt: two looks, also while a server says nothing. */
const VALID_MS = 3_000;
/** In the background, of a server that may say nothing. */
const ANSWER_MS_MAX = 1_000;
const NOTHING: FoundServers = { servers: new Map(), lookedAt: -Infinity };

/**
 * Sends an append straight to the server of the cluster that holds its lanes, instead of through
 * the coordinator. That is done only where the coordinator, or the worker that stands in for it,
 * has said within a moment that the lanes are at an address which the connection string names too,
 * and the server there has said that it is that one of the cluster, takes writes and was not
 * promoted over. Wherever this is in doubt an append goes through the given pool.
 */
export class AppendServers implements AppendConnections {
  /** By address. */
  private readonly servers = new Map<string, Server>();
  private found = NOTHING;
  /** Numbers of the servers that hold lanes, by address, as the last look found them. */
  private places: ReadonlyMap<string, number> = new Map();
  private indirectLanes: readonly IndirectLanes[] = [];
  private looking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly pool: pg.Pool,
    private readonly options: DatabaseOptions,
  ) {}

  /** `options`: of the pool. Looks for the servers of a cluster now and every second. */
  static start(pool: pg.Pool, options: DatabaseOptions): AppendServers {
    const started = new AppendServers(pool, options);
    started.openNamed();
    started.lookSoon(0);
    return started;
  }

  /** As the last look found them, by worker; none on a plain PostgreSQL. */
  get indirect(): readonly IndirectLanes[] {
    return this.indirectLanes;
  }

  /** Waits for what is under way. The pool is the caller's. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    const { looking } = this;
    this.looking = undefined;
    await looking;
    await Promise.all([...this.servers.values()].map(({ pool }) => pool.end()));
  }

  async lend<Result>(lane: number, use: Use<Result>): Promise<Result> {
    const server = this.serverOf(lane);
    if (server === undefined) return withClient(this.pool, use);
    let isLent = false;
    try {
      return await withClient(server.pool, (client) => {
        isLent = true;
        return use(client);
      });
    } catch (error) {
      if (!isLent || needsNewConnection(error)) server.lostAt = performance.now();
      if (isLent) throw error;
      return withClient(this.pool, use);
    }
  }

  private serverOf(lane: number): Server | undefined {
    const { servers, lookedAt } = this.found;
    if (performance.now() - lookedAt > VALID_MS) return undefined;
    const server = servers.get(lane);
    return server !== undefined && server.lostAt < lookedAt ? server : undefined;
  }

  /** Nothing is connected yet. */
  private openNamed(): void {
    const named = databaseServers(this.options.url);
    if (typeof named === 'string' || named.target !== 'read-write') return;
    for (const url of named.urls) {
      const server: Server = {
        lostAt: -Infinity,
        pool: openDatabase({
          ...this.options,
          url: `${url}${url.includes('?') ? '&' : '?'}${READ_WRITE}`,
          connectTimeoutMs: ANSWER_MS_MAX,
          onIdleError: (error) => {
            server.lostAt = performance.now();
            this.options.onIdleError?.(error);
          },
        }),
      };
      this.servers.set(serverAddress(url), server);
    }
  }

  private lookSoon(ms: number): void {
    this.timer = setTimeout(() => {
      const begunAt = performance.now();
      const goOn = (isCluster: boolean): void => {
        const tookMs = performance.now() - begunAt;
        if (this.looking !== undefined && isCluster) this.lookSoon(Math.max(0, POLL_MS - tookMs));
      };
      this.looking = this.look().then(goOn, () => goOn(true));
    }, ms).unref();
  }

  /**
   * Asks the servers of the last look, and then again where the lanes are. A server that is
   * replaced in between has lost its connections, so it is not used before the next look. Answers
   * whether the log is in a cluster.
   */
  private async look(): Promise<boolean> {
    const lookedAt = performance.now();
    const asked = [...this.places].map(async ([address, number]) => {
      const server = this.servers.get(address);
      const isThere = server !== undefined && (await isServer(server.pool, number));
      return isThere ? [[address, server] as const] : [];
    });
    const there = new Map((await Promise.all(asked)).flat());
    const places = await placedGroups(this.pool, 1);
    const servers = new Map<number, Server>();
    const indirect = new Map<string, number[]>();
    for (const { lanes, server, address = '' } of places) {
      const wasAsked = this.places.get(address) === server;
      const found = wasAsked ? there.get(address) : undefined;
      if (found !== undefined) for (const lane of lanes) servers.set(lane, found);
      else if (wasAsked) indirect.set(address, [...(indirect.get(address) ?? []), ...lanes]);
    }
    this.found = { servers, lookedAt };
    this.indirectLanes = [...indirect].map(([address, lanes]) => {
      return { lanes, address, isNamed: this.servers.has(address) };
    });
    this.places = new Map(places.map(({ address = '', server }) => [address, server]));
    return places.some(({ address }) => address !== undefined);
  }
}

/** Whether the server is that one of the cluster, by its own word. */
async function isServer(pool: pg.Pool, number: number): Promise<boolean> {
  const query: pg.QueryConfig & { readonly query_timeout: number } = {
    text: 'select from pg_dist_local_group where groupid = $1',
    values: [number],
    query_timeout: ANSWER_MS_MAX,
  };
  return pool.query(query).then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  );
}
