import { Measurements, type Benchmark, type Goal, type Series } from './benchmark.js';
import { openCustomers } from './customers.js';
import { demoPaths } from './demo-paths.js';
import { CONNECTIONS, DEMO_LOAD, openLoadScene, REPEAT_PERCENT } from './load/load-scene.js';
import type { LoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLag, recordLoad } from './load/measured-load.js';
import type { MeasuredRound } from './load/measured-load.js';
import { sampleAnswers } from './sample-answers.js';
import { ADMIN_TOKEN, startBare, startUnmetered, startWhole, type Server } from './servers.js';
import type { Stage } from './stage.js';

const MICROSECONDS = 1_000_000;
const FEW = 16;
const MANY_CORES = 4;
/** API workers serve on many cores. */
const OF_BARE = { few: 0.33, many: 0.55 } as const;
const OF_PROCESSOR: Goal = { atMost: 4.5 };
const P99_GOALS: ReadonlyMap<number, Goal> = new Map([
  [CONNECTIONS, { atMost: 40 }],
  [FEW, { atMost: 8 }],
]);

async function openWhole(stage: Stage, name: string, checkout?: string): Promise<LoadScene> {
  const database = await stage.database();
  const server = await startWhole(stage, database, name, checkout);
  return openLoadScene(stage, server, database);
}

/** Bare `node:http`, with answers of the service. */
async function startBareBeside(stage: Stage, { site }: LoadScene, adminUrl: string) {
  const [apiKey = ''] = await openCustomers(adminUrl, ADMIN_TOKEN, 1);
  const paths = await demoPaths(site.pool, DEMO_LOAD);
  return startBare(stage, await sampleAnswers(site.server.url, apiKey, paths));
}

/** Processor time of an answer, in µs: of all processes of the service, and of the database. */
function processorOf({ serverCpu, databaseCpu, answers }: MeasuredRound): number {
  return (MICROSECONDS * ((serverCpu ?? Number.NaN) + (databaseCpu ?? Number.NaN))) / answers;
}

class Rounds {
  readonly #measured = new Map<string, MeasuredRound>();

  constructor(
    private readonly figures: Measurements,
    private readonly seconds: number,
    private readonly connections: number,
    private readonly ofBare: Goal,
  ) {}

  async fire(name: string, { site, load }: LoadScene, server: Server = site.server) {
    const order = { seconds: this.seconds, connections: this.connections };
    const round = await measureLoad({ ...site, server }, load, order);
    if (server === site.server) checkCharges(round);
    this.#measured.set(name, round);
    return round.perSecond;
  }

  record(names: readonly string[]): void {
    const { figures } = this;
    const over = `, ${this.connections} connections`;
    const [metered, other] = [this.#measured.get('metered'), this.#measured.get('other build')];
    const bare = this.#measured.get('bare');
    if (metered === undefined || bare === undefined) throw new Error('A round is missing.');
    const ratio = metered.perSecond / bare.perSecond;
    const isMany = this.connections === CONNECTIONS;
    figures.add(`metered / bare${over}`, 'ratio', ratio, isMany ? this.ofBare : undefined);
    const bareCpu = (MICROSECONDS * (bare.serverCpu ?? Number.NaN)) / bare.answers;
    const cpu = processorOf(metered) / bareCpu;
    const goal = isMany ? OF_PROCESSOR : undefined;
    figures.add(`metered / bare, processor${over}`, 'ratio', cpu, goal);
    if (other !== undefined) {
      const rates = metered.perSecond / other.perSecond;
      const least = isMany ? undefined : { atLeast: 1.2 };
      figures.add(`metered / other build${over}`, 'ratio', rates, least);
      const processor = processorOf(metered) / processorOf(other);
      figures.add(`metered / other build, processor${over}`, 'ratio', processor);
    }
    for (const name of names) {
      const round = this.#measured.get(name);
      if (round === undefined) continue;
      const p99 = name === 'metered' ? P99_GOALS.get(this.connections) : undefined;
      figures.add(`${name}${over}`, 'calls/s', round.perSecond);
      recordLoad(figures, `${name}${over}`, round, p99 && { p99 });
    }
    if (isMany) recordLag(figures, metered);
  }
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds, against, cores } = stage.options;
  const ofBare = { atLeast: cores < MANY_CORES ? OF_BARE.few : OF_BARE.many };
  const database = await stage.database();
  const whole = await startWhole(stage, database, 'metered');
  const scene = await openLoadScene(stage, whole, database);
  const other = against === null ? null : await openWhole(stage, 'other build', against);
  const bare = await startBareBeside(stage, scene, whole.adminUrl);
  const unmetered = await startUnmetered(stage, database, 'unmetered');
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    for (const connections of [CONNECTIONS, FEW]) {
      // The first round is for the compilers.
      const into = round === 0 ? new Measurements() : figures;
      const each = new Rounds(into, seconds, connections, ofBare);
      const rates = [await each.fire('metered', scene)];
      if (other !== null) rates.push(await each.fire('other build', other));
      rates.push(await each.fire('bare', scene, bare));
      rates.push(await each.fire('unmetered', scene, unmetered));
      stage.report(`${connections} connections: ${rates.map(Math.round).join(', ')} calls/s`);
      each.record(['metered', 'other build', 'bare', 'unmetered']);
    }
  }
  return figures.series();
}

export const meteredBenchmark: Benchmark = {
  name: 'metered',
  about: `metered GETs, ${REPEAT_PERCENT} % repeated ones, beside bare node:http with the same bytes`,
  run,
};
