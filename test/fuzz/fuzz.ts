import { OpenApiMatcher } from '../setup/openapi-matcher.js';
import { exchangeFaults } from './answer-checks.js';
import { type ExchangePlan, planExchange } from './exchange-plan.js';
import type { Port } from './fuzz-request.js';
import type { FuzzedService } from './operator.js';
import { Operator } from './operator.js';
import { rawExchange, type Transcript } from './raw-exchange.js';
import { RequestSource } from './request-source.js';
import { residentMib } from './resident-memory.js';
import { type Scene, setScene } from './scene.js';
import { Tally } from './tally.js';

export interface FuzzOptions {
  readonly seed: number;
  /** How many requests at least; exchanges are begun until they hold as many. */
  readonly requests: number;
  readonly ports: readonly Port[];
  readonly stalls: boolean;
  /** The exchange of that number alone. */
  readonly only?: number;
  readonly report?: (line: string) => void;
}

export interface Finding {
  readonly plan: ExchangePlan;
  readonly transcript: Transcript;
  readonly faults: readonly string[];
}

export interface FuzzReport {
  readonly requests: number;
  readonly exchanges: number;
  readonly seconds: number;
  /** How often each status was answered, by port. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** Faults of the run as a whole: money, life, log. */
  readonly faults: readonly string[];
  readonly calls: number;
  readonly credits: number;
  /** Resident memory in MiB at the start and after each tenth of the run. */
  readonly memoryMib: readonly number[];
  readonly slowestMs: number;
}

const CONNECTIONS = 24;
const FINDINGS_MAX = 200;

/** One run: everything but ids and keys follows from the seed. */
class Run {
  requests = 0;
  exchanges = 0;
  slowestMs = 0;
  readonly statuses: Record<string, number> = {};
  readonly kinds: Record<string, number> = {};
  readonly findings: Finding[] = [];
  readonly memoryMib: number[] = [];
  #tenths = 0;

  constructor(
    private readonly service: FuzzedService,
    private readonly options: FuzzOptions,
    private readonly sources: Readonly<Record<Port, RequestSource>>,
    private readonly matchers: Readonly<Record<Port, OpenApiMatcher>>,
    private readonly tally: Tally,
  ) {}

  async all(): Promise<void> {
    await this.remember();
    const { only } = this.options;
    if (only !== undefined) return this.#one(only);
    let next = 0;
    const connection = async (): Promise<void> => {
      while (this.requests < this.options.requests && this.findings.length < FINDINGS_MAX) {
        next += 1;
        await this.#one(next);
        await this.#report();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  }

  async remember(): Promise<void> {
    const mib = await residentMib(this.service.pid);
    if (mib !== null) this.memoryMib.push(mib);
  }

  async #one(index: number): Promise<void> {
    const { seed, ports, stalls } = this.options;
    const port = ports[index % ports.length] ?? 'api';
    const plan = planExchange(seed, index, port, this.sources[port], { stalls });
    this.requests += plan.asked.length;
    this.exchanges += 1;
    count(this.kinds, plan.kind);
    const url = port === 'api' ? this.service.apiUrl : this.service.adminUrl;
    const transcript = await rawExchange(plan, Number(new URL(url).port));
    for (const { status } of transcript.answers) count(this.statuses, `${port} ${status}`);
    if (plan.ending !== 'stalls') this.slowestMs = Math.max(this.slowestMs, transcript.ms);
    const faults = [
      ...exchangeFaults(plan, transcript, this.matchers[port]),
      ...this.tally.note(plan, transcript.answers),
    ];
    if (faults.length > 0) this.findings.push({ plan, transcript, faults });
  }

  async #report(): Promise<void> {
    const tenth = Math.floor((10 * this.requests) / this.options.requests);
    if (tenth <= this.#tenths) return;
    this.#tenths = tenth;
    await this.remember();
    const { requests, findings, memoryMib } = this;
    this.options.report?.(
      `${requests} requests, ${findings.length} findings, ${memoryMib.at(-1) ?? '?'} MiB`,
    );
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Sends generated requests to a running service and checks every answer, and the log behind. */
export async function fuzz(service: FuzzedService, options: FuzzOptions): Promise<FuzzReport> {
  const startedAt = performance.now();
  const scene = await setScene(service);
  const tally = new Tally(scene, new Operator(service));
  const run = new Run(service, options, sourcesOf(service, scene), matchersOf(scene), tally);
  await run.all();
  const { calls, credits } = tally;
  const faults = [...(await tally.differences()), ...(await lifeFaults(service))];
  faults.push(...tally.unlogged.map((callId) => `call ${callId} stands in no log`));
  await run.remember();
  const seconds = (performance.now() - startedAt) / 1000;
  const { requests, exchanges, statuses, kinds, findings, memoryMib, slowestMs } = run;
  const facts = { requests, exchanges, statuses, kinds, findings, memoryMib, slowestMs };
  return { ...facts, faults, calls, credits, seconds };
}

function sourcesOf({ adminToken }: FuzzedService, scene: Scene) {
  return {
    api: new RequestSource('api', scene, adminToken),
    accounting: new RequestSource('accounting', scene, adminToken),
  };
}

function matchersOf({ documents }: Scene) {
  return {
    api: OpenApiMatcher.of(documents.api),
    accounting: OpenApiMatcher.of(documents.accounting),
  };
}

/** The process lives, is ready, and has met nothing that it did not foresee. */
async function lifeFaults({ apiUrl, adminUrl, output }: FuzzedService): Promise<string[]> {
  const faults: string[] = [];
  for (const url of [apiUrl, adminUrl]) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status !== 200) faults.push(`${url} is not ready`);
  }
  const errors = output()
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line));
  return [...faults, ...errors.slice(0, 5).map((line) => `logged: ${line.slice(0, 2_000)}`)];
}
