import { setTimeout as delay } from 'node:timers/promises';
import {
  fullDisk,
  killServer,
  olderDatabase,
  ownServer,
  promotion,
  readOnly,
  type DatabaseFault,
  type DatabaseFaultParts,
} from './database-faults.js';
import { GivenDatabase } from './given-database.js';
import type { ReleaseFeed } from './release-feed.js';
import { LINK_KINDS, type Link, type LinkKind, type Site } from './site.js';
import type { SupervisedProcess } from './supervised.js';
import {
  ILLNESSES,
  unhealthyAccounting,
  type UnhealthyAccounting,
} from './unhealthy-accounting.js';

const OF_PROCESSES = [
  'kill -9',
  'kill -9 of workers',
  'end of a decider',
  'kill -9 with postmaster',
  'kill -9 postmaster',
  'postgres stopped',
  'postgres hangs',
  'process hangs',
  'rolling restart',
  'SIGTERM',
  'release import',
] as const;
const OF_DATABASE = [
  'older database',
  'read-only',
  'full disk',
  'promotion',
  'kill -9 of a database server',
] as const;
const OF_NETWORKS = ['delay', 'cut', 'refuse', 'stall', 'half-open'] as const;

type NetworkFault = (typeof OF_NETWORKS)[number];
type FaultKind =
  | (typeof OF_PROCESSES)[number]
  | DatabaseFault['kind']
  | UnhealthyAccounting['kind']
  | `network ${NetworkFault} ${LinkKind}`;

/** Every kind of fault that a plan may hold. */
export const FAULT_KINDS: readonly FaultKind[] = [
  ...OF_PROCESSES,
  ...OF_DATABASE,
  ...ILLNESSES.map((illness) => `unhealthy accounting: ${illness}` as const),
  ...OF_NETWORKS.flatMap((fault) => LINK_KINDS.map((link) => `network ${fault} ${link}` as const)),
];

/** A fault of the service: `run` resolves when the cause is over. */
export interface Fault {
  readonly kind: FaultKind;
  readonly detail: string;
  readonly run: () => Promise<void>;
}

export interface FaultParts extends DatabaseFaultParts {
  readonly releases: ReleaseFeed;
}

/** The clients of this API process are not answered while its fault lasts. */
async function whileDisturbed(
  site: Site,
  api: number | null,
  act: () => Promise<void>,
): Promise<void> {
  const end = api === null ? (): void => undefined : site.disturb(api);
  await act();
  end();
}

function kill(parts: FaultParts): Fault {
  const { site, random, database } = parts;
  const victims = random.weighted<readonly SupervisedProcess[]>([
    [4, [random.pick(site.accountings)]],
    [4, [random.pick(site.apis)]],
    [1, site.accountings],
    [1, site.processes],
  ]);
  const isWithDatabase = random.chance(0.15) && !(database instanceof GivenDatabase);
  const names = victims.map(({ name }) => name).join(', ');
  return {
    kind: isWithDatabase ? 'kill -9 with postmaster' : 'kill -9',
    detail: names,
    run: async () => {
      const all = victims.map((victim) => victim.kill());
      if (isWithDatabase) all.push(ownServer(parts).kill());
      await Promise.all(all);
    },
  };
}

function killWorkers({ site, random }: FaultParts): Fault {
  const count = random.weighted([
    [3, 1],
    [1, 2],
  ]);
  return {
    kind: 'kill -9 of workers',
    detail: String(count),
    run: async () => site.apis.forEach((api) => api.killWorkers(count)),
  };
}

function endDecider({ site }: FaultParts): Fault {
  return {
    kind: 'end of a decider',
    detail: '',
    run: async () => {
      await Promise.all(site.accountings.map((accounting) => accounting.endDecider()));
    },
  };
}

function killDatabase(parts: FaultParts): Fault {
  return {
    kind: 'kill -9 postmaster',
    detail: '',
    run: () => ownServer(parts).kill(),
  };
}

function stopDatabase(parts: FaultParts): Fault {
  const ms = parts.random.between(500, 8_000);
  return {
    kind: 'postgres stopped',
    detail: `${ms} ms`,
    run: async () => void (await ownServer(parts).stayAway(ms)),
  };
}

function pauseDatabase(parts: FaultParts): Fault {
  const ms = parts.random.between(500, 14_000);
  return {
    kind: 'postgres hangs',
    detail: `${ms} ms`,
    run: async () => {
      ownServer(parts).pause();
      await delay(ms);
      ownServer(parts).resume();
    },
  };
}

function pauseProcess({ site, random }: FaultParts): Fault {
  const api = random.chance(0.5) ? random.pick([0, 1]) : null;
  const victim = api === null ? random.pick(site.accountings) : site.apis[api];
  const ms = random.between(500, 9_000);
  return {
    kind: 'process hangs',
    detail: `${victim?.name} ${ms} ms`,
    run: () =>
      whileDisturbed(site, api, async () => {
        victim?.pause();
        await delay(ms);
        victim?.resume();
      }),
  };
}

function terminate({ site, random }: FaultParts): Fault {
  const isRolling = random.chance(0.4);
  const victims = isRolling ? site.processes : [random.pick(site.processes)];
  return {
    kind: isRolling ? 'rolling restart' : 'SIGTERM',
    detail: victims.map(({ name }) => name).join(', '),
    run: async () => {
      for (const victim of victims) {
        const starts = victim.starts;
        await victim.terminate();
        const until = performance.now() + 20_000;
        while (isRolling && performance.now() < until) {
          if (victim.starts > starts && (await victim.unready()) === null) break;
          await delay(100);
        }
      }
    },
  };
}

function network({ site, random }: FaultParts): Fault {
  const kind = random.pick(OF_NETWORKS);
  const of = random.pick(LINK_KINDS);
  const alike = site.links.filter((one) => one.kind === of);
  const victims = random.chance(0.3) ? alike : [random.pick(alike)];
  const ms = random.between(500, 13_000);
  const lateness = random.pick([5, 40, 250, 900]);
  return {
    kind: `network ${kind} ${of}`,
    detail: `${victims.map(({ name }) => name).join(', ')} ${ms} ms`,
    run: async () => {
      const ends = victims.map((one) => breakLink(site, one, kind, lateness));
      await delay(kind === 'cut' ? 0 : ms);
      for (const end of ends) end();
    },
  };
}

function breakLink(
  site: Site,
  { proxy, api }: Link,
  kind: NetworkFault,
  lateness: number,
): () => void {
  const end = api === null ? (): void => undefined : site.disturb(api, kind === 'half-open');
  if (kind === 'delay') proxy.delay(lateness);
  else if (kind === 'cut') proxy.cut();
  else if (kind === 'refuse') proxy.refuse();
  else if (kind === 'stall') proxy.stall();
  else proxy.halfOpen();
  return () => {
    proxy.heal();
    end();
  };
}

function importRelease({ releases }: FaultParts): Fault {
  return { kind: 'release import', detail: '', run: () => releases.import() };
}

/** Faults that come next, as a rule one: whose answers are counted has no other beside it. */
export function nextFaults(parts: FaultParts, only: string): Fault[] {
  const first = nextFault(parts, only);
  if (!parts.random.chance(0.25) || isAlone(first)) return [first];
  const second = nextFault(parts, only);
  return isAlone(second) ? [first] : [first, second];
}

function isAlone({ kind }: Fault): boolean {
  return kind.startsWith('unhealthy');
}

/** The next fault of the plan whose kind holds the text `only`, as one of FAULT_KINDS must. */
function nextFault(parts: FaultParts, only: string): Fault {
  for (;;) {
    const fault = anyFault(parts);
    if (fault.kind.includes(only)) return fault;
  }
}

type WeightedFault = readonly [weight: number, make: (parts: FaultParts) => Fault];

/** Faults that a server of the run's own may have. In this order, which is part of each plan. */
const ALL: readonly WeightedFault[] = [
  [6, kill],
  [2, killWorkers],
  [2, endDecider],
  [2, killDatabase],
  [2, stopDatabase],
  [3, pauseDatabase],
  [3, pauseProcess],
  [3, terminate],
  [10, network],
  [1.5, importRelease],
  [1, olderDatabase],
  [2, readOnly],
  [2, fullDisk],
  [1.5, promotion],
  [3, unhealthyAccounting],
];
const OF_OWN_SERVER: readonly unknown[] = [
  killDatabase,
  stopDatabase,
  pauseDatabase,
  olderDatabase,
  readOnly,
  fullDisk,
  promotion,
];
const OF_GIVEN_SERVER: WeightedFault = [5, killServer];

function anyFault(parts: FaultParts): Fault {
  return parts.random.weighted(possible(parts))(parts);
}

function possible({ database }: FaultParts): readonly WeightedFault[] {
  if (!(database instanceof GivenDatabase)) return ALL;
  const others = ALL.filter(([, make]) => !OF_OWN_SERVER.includes(make));
  return database.hasKilling ? [...others, OF_GIVEN_SERVER] : others;
}
