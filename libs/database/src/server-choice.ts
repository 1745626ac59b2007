import pg from 'pg';
import { databaseServers, serverName, type DatabaseServers } from './database-servers.js';
import { ServerRefusedError } from './server-refused-error.js';
import { askPlace, askServer, type ClusterPlace, type ServerState } from './server-state.js';
import { withSessionSettings } from './session-settings.js';
import { Timelines } from './timelines.js';

interface FoundServer {
  readonly url: string;
  readonly state: ServerState;
  readonly place: ClusterPlace | null;
}

interface JudgedServers {
  readonly found: readonly FoundServer[];
  readonly usable: readonly FoundServer[];
  readonly faults: string[];
  /** The same without names of servers, of those that answered. */
  readonly briefs: string[];
}

/** Of several servers one that does not answer is passed over after this. */
const ANSWER_MS_MAX = 2_000;
/**
 * The same of one that did not answer the last time, where another one would do: a server that
 * stays silent must not keep everybody waiting each time a connection is lost.
 */
const ANSWER_AGAIN_MS_MAX = 300;
/** A request this soon after a choice that found no server gets the same answer. */
const NONE_AGAIN_MS = 100;
/** While a worker stands in for the coordinator, that one is looked for so often. */
const POLL_MS = 1_000;
const DISAGREE = 'the workers of the cluster disagree where its servers are';
/** Of this process: whoever connects by whatever pool must not go back behind a promotion. */
const SEEN = new Timelines();
const CHOICES = new Map<string, ServerChoice>();

/**
 * Which of the servers of a connection string is connected to. All are asked at once, and again
 * when a connection was lost: the one with the highest timeline among those that take writes is
 * chosen, so that a primary that was promoted over is not taken for one. Of a cluster that is the
 * coordinator, and one of the workers until it is back.
 */
export class ServerChoice {
  private chosen: string;
  private isOpen: boolean;
  private choosing: Promise<string> | undefined;
  private renewed = -Infinity;
  /** Servers that did not answer when another one was chosen. */
  private away: ReadonlySet<string> = new Set();
  /** Servers that said that they are workers when all were asked. */
  private workers: ReadonlySet<string> = new Set();
  /** When the coordinator is looked for, by `performance.now()`. */
  private lookAt = Infinity;

  constructor(
    private readonly servers: DatabaseServers,
    private readonly seen: Timelines = SEEN,
  ) {
    this.chosen = servers.urls[0] ?? '';
    this.isOpen = this.isPlural;
  }

  /** Of this process for a connection string. Throws Error for one that is none. */
  static of(url: string): ServerChoice {
    const known = CHOICES.get(url);
    if (known !== undefined) return known;
    const servers = databaseServers(url);
    if (typeof servers === 'string') throw new Error(`The URL of the database: ${servers}.`);
    const urls = servers.urls.map(withSessionSettings);
    const made = new ServerChoice({ ...servers, urls });
    CHOICES.set(url, made);
    return made;
  }

  /** The connection string of the server that was chosen last. */
  get url(): string {
    return this.chosen;
  }

  /** Whether it is a worker, chosen for as long as the coordinator is away. */
  get isStandIn(): boolean {
    return this.lookAt < Infinity;
  }

  /** By `performance.now()`: connections that were opened before are used no more. */
  get renewedAt(): number {
    return this.renewed;
  }

  /** Chooses where that is needed. Throws ServerRefusedError when no server will do. */
  async choose(): Promise<string> {
    if (this.isOpen) return this.chooseAgain();
    const now = performance.now();
    if (now >= this.lookAt) {
      // Nobody waits for it: the one that stands in serves.
      this.lookAt = now + POLL_MS;
      void this.chooseAgain().catch(() => undefined);
    }
    return this.chosen;
  }

  /** A connection was lost, and with it all that were opened before. */
  lose(): void {
    this.renewed = performance.now();
    this.reopen();
  }

  /** The chosen server is gone, or not what it was: the next connection chooses again. */
  reopen(): void {
    this.isOpen = this.isPlural;
  }

  /** Holds a new connection to what it has to be. Throws ServerRefusedError. */
  async check(client: pg.ClientBase): Promise<void> {
    const { host, port } = client as pg.Client;
    this.judge(`${host}:${port}`, await askServer(client));
  }

  /** Whether there is another server, where one will not do. */
  get isPlural(): boolean {
    return this.servers.urls.length > 1;
  }

  private judge(server: string, state: ServerState): void {
    this.seen.check(state, server);
    if (this.servers.target === 'any' || !state.isReadOnly) return;
    const brief = 'the server takes no writes';
    throw new ServerRefusedError(`the server at ${server} takes no writes`, brief);
  }

  private chooseAgain(): Promise<string> {
    this.choosing ??= this.ask().finally(() => this.forget());
    return this.choosing;
  }

  private async ask(): Promise<string> {
    const { urls } = this.servers;
    // Nobody waits for a look in the background.
    const away = this.isOpen ? this.away : new Set<string>();
    const asked = urls.map((url) => ask(url, away.has(url) ? ANSWER_AGAIN_MS_MAX : ANSWER_MS_MAX));
    // No word of a worker matters where the coordinator will do.
    const others = asked.filter((_, index) => !this.workers.has(urls[index] ?? ''));
    if (others.length < asked.length) {
      const [best] = this.judgeAll(await Promise.all(others)).usable;
      if (best?.place?.isCoordinator === true) return this.take(best);
    }
    const { found, usable, faults, briefs } = this.judgeAll(await Promise.all(asked));
    this.workers = new Set(found.filter(isWorker).map(({ url }) => url));
    this.away = new Set();
    const [best] = usable;
    if (best !== undefined && agree(usable)) {
      this.away = new Set(urls.filter((url) => !found.some((each) => each.url === url)));
      return this.take(best);
    }
    if (best !== undefined) {
      faults.push(DISAGREE, ...usable.map(saidBy));
      briefs.push(DISAGREE);
    }
    if (briefs.length < urls.length) briefs.push('a server does not answer');
    const none = 'no server of the database can be used';
    throw new ServerRefusedError(`${none}: ${faults.join('; ')}`, `${none}: ${briefs.join('; ')}`);
  }

  /** The best of those that will do first; why each of the others will not. */
  private judgeAll(answers: readonly (FoundServer | string)[]): JudgedServers {
    const found = answers.filter((each) => typeof each !== 'string');
    // The highest timeline first: it shows those below it to be stale.
    const ranked = found.toSorted(
      (a, b) => rankOf(b) - rankOf(a) || (b.state.timeline ?? 0) - (a.state.timeline ?? 0),
    );
    const faults = answers.filter((each) => typeof each === 'string');
    const briefs: string[] = [];
    const usable = ranked.filter((each) => {
      try {
        this.judge(serverName(each.url), each.state);
        return true;
      } catch (error) {
        const refusal = error as ServerRefusedError;
        faults.push(refusal.message);
        briefs.push(refusal.brief);
        return false;
      }
    });
    return { found, usable, faults, briefs };
  }

  private take(taken: FoundServer): string {
    const { url } = taken;
    const now = performance.now();
    if (url !== this.chosen) this.renewed = now;
    this.chosen = url;
    this.isOpen = false;
    this.lookAt = isWorker(taken) ? now + POLL_MS : Infinity;
    return url;
  }

  private forget(): void {
    if (!this.isOpen) this.choosing = undefined;
    else setTimeout(() => (this.choosing = undefined), NONE_AGAIN_MS).unref();
  }
}

/** The connection string of one server, for whoever connects once. Throws ServerRefusedError. */
export async function chosenServer(url: string): Promise<string> {
  const choice = ServerChoice.of(url);
  choice.reopen();
  return choice.choose();
}

function isWorker({ place }: FoundServer): boolean {
  return place?.isCoordinator === false;
}

/** A coordinator before its workers, and these before a server that is in no cluster (any more). */
function rankOf({ place }: FoundServer): number {
  if (place === null) return 0;
  return place.isCoordinator ? 2 : 1;
}

/**
 * Whether the first of them may be written through. A worker that knows other places than another
 * one may be, or lead to, a server that was promoted over.
 */
function agree([best, ...others]: readonly FoundServer[]): boolean {
  if (best === undefined || !isWorker(best)) return true;
  return others.every(({ place }) => place === null || place.servers === best.place?.servers);
}

function saidBy({ url, place }: FoundServer): string {
  return `${serverName(url)} knows ${place?.servers}`;
}

/** The state of a server, or why it is unknown. */
async function ask(url: string, msMax: number): Promise<FoundServer | string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'popindex choice',
    connectionTimeoutMillis: msMax,
  });
  client.on('error', () => undefined);
  const end = (): unknown => client.end().catch(() => undefined);
  let late: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    late = setTimeout(end, msMax);
    return { url, state: await askServer(client), place: await askPlace(client) };
  } catch (error) {
    return `${serverName(url)}: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    clearTimeout(late);
    // A server that falls silent says no goodbye.
    end();
  }
}
