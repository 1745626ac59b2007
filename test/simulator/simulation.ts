import { terms } from '#account/scenario.suite.js';
import { verifyLane } from '#event-log/verify-lane.js';
import { Actors } from './actors.js';
import { BrokenRule, hold } from '../../bench/model/broken-rule.js';
import { drawPlan, type Action } from './plan.js';
import type { Planting } from './planting.js';
import { Prng } from './prng.js';
import { quiescence } from './scheduler.js';
import { drawSetting, type Setting } from './setting.js';
import { World } from './world.js';

export interface SimulationOptions {
  /** Indices of actions of the seed's plan that are left out. */
  readonly without?: ReadonlySet<number>;
  readonly planting?: Planting;
  /** Given every step, in the order in which they happen. */
  readonly trace?: (line: string) => void;
}

export type Outcome =
  | {
      readonly passed: true;
      readonly steps: number;
      readonly events: number;
      readonly actions: number;
    }
  | {
      readonly passed: false;
      readonly steps: number;
      readonly reason: string;
      readonly actions: number;
    };

/** From here on everything that is under way has to end. */
const CALM_STEPS_MAX = 5_000;
const TAIL_STEPS_MAX = 40;
const STEP_MS_MAX = 12;
const LEAP_MS_MAX = 25_000;

/** One schedule: the same seed and options, the same steps, on every machine. */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Outcome> {
  const setting = drawSetting(new Prng(seed, 0));
  const plan = drawPlan(new Prng(seed, 1)).filter(({ index }) => !options.without?.has(index));
  const schedule = new Schedule(setting, plan, new Prng(seed, 2), options);
  try {
    await schedule.run();
    return { passed: true, steps: schedule.steps, events: schedule.events, actions: plan.length };
  } catch (error) {
    const reason = error instanceof BrokenRule ? error.message : String((error as Error).stack);
    options.trace?.(`✗ ${reason}`);
    return { passed: false, steps: schedule.steps, reason, actions: plan.length };
  }
}

class Schedule {
  steps = 0;
  private readonly world: World;
  private readonly actors: Actors;

  constructor(
    setting: Setting,
    private readonly plan: readonly Action[],
    private readonly prng: Prng,
    { trace, planting }: SimulationOptions,
  ) {
    trace?.(JSON.stringify(setting));
    this.world = new World(setting, prng, trace ?? (() => undefined), planting);
    this.actors = new Actors(this.world);
  }

  get events(): number {
    const { setting, auditor } = this.world;
    return setting.accounts.reduce((sum, { id }) => sum + auditor.version(id), 0);
  }

  async run(): Promise<void> {
    const { world, plan, prng } = this;
    await world.open();
    for (const action of plan) {
      while (world.scheduler.waiting > 0 && !prng.chance(world.setting.hurry)) await this.step();
      world.note(`• ${action.index} ${action.kind}`);
      await this.actors.act(action);
      await this.settle();
    }
    for (let left = prng.below(TAIL_STEPS_MAX); left > 0; left -= 1) await this.step();
    world.calm = true;
    if (world.servers.all.length > 1) await this.partialOutage();
    await this.calmDown();
    await this.checkEnd();
  }

  private async step(): Promise<void> {
    const { world, prng } = this;
    if (prng.chance(world.setting.projecting)) await this.project();
    world.now += prng.below(STEP_MS_MAX);
    if (!world.calm && prng.chance(world.setting.leaping)) this.leap();
    this.steps += 1;
    await world.scheduler.runOne(world.note);
    this.check();
  }

  /** Seconds that a caller may not have, or the turn of the window under everybody's feet. */
  private leap(): void {
    const { world, prng } = this;
    const { endsAt } = terms.calendar.windowAt(world.now);
    world.now = prng.chance(0.5) ? world.now + prng.below(LEAP_MS_MAX) : endsAt;
    world.note(`  now ${new Date(world.now).toISOString()}`);
  }

  private async settle(): Promise<void> {
    await quiescence();
    this.check();
  }

  private check(): void {
    if (this.world.failure !== undefined) throw this.world.failure as Error;
  }

  private project(): Promise<void> {
    const lane = this.prng.pick(this.world.lanes);
    this.world.note(`  projects lane ${lane}`);
    return this.world.ledger.project(lane, 1 + this.prng.below(6));
  }

  /** One server is down and nothing else is wrong: the others' accounts are served. */
  private async partialOutage(): Promise<void> {
    const { world, prng, actors } = this;
    world.note('• partial outage');
    world.outage = true;
    world.fail(prng.pick(world.servers.all), prng.chance(0.5));
    await this.serveReachable();
    const probes = actors.probe();
    await this.serveReachable();
    for (const callId of probes) {
      const endings = world.attempts.of(callId).map(({ ending }) => ending);
      const isServed = endings.includes('answered') || endings.includes('refused');
      hold(isServed, () => `${callId} is ${endings.join(', ')}, and its server is up.`);
    }
    world.outage = false;
  }

  private async serveReachable(): Promise<void> {
    const { world } = this;
    const until = this.steps + CALM_STEPS_MAX;
    while (world.reachable.length > 0 && this.steps < until) await this.step();
    const names = world.reachable.map(({ submission }) => submission.callId).join(', ');
    hold(names === '', () => `Nobody answers ${names}, and its server is up.`);
  }

  /** Faults stop; whoever still waits has to be answered. */
  private async calmDown(): Promise<void> {
    const { world } = this;
    world.note('• calm');
    const until = this.steps + CALM_STEPS_MAX;
    while (world.scheduler.waiting > 0 && this.steps < until) await this.step();
    const { open } = world.attempts;
    const names = open.map(({ submission }) => submission.callId).join(', ');
    hold(open.length === 0, () => `Nobody answers ${names}.`);
  }

  private async checkEnd(): Promise<void> {
    const { world } = this;
    for (const lane of world.lanes) {
      const verdict = await verifyLane(world.store, lane);
      hold(
        verdict.verdict === 'intact',
        () => `Lane ${lane} is broken: ${JSON.stringify(verdict)}`,
      );
    }
    for (const { submission } of world.attempts.all) world.auditor.checkDenied(submission.callId);
  }
}
