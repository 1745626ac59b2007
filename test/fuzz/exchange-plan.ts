import { Prng } from '../simulator/prng.js';
import {
  type Asked,
  type FuzzRequest,
  type Port,
  requestBytes,
  setHeader,
} from './fuzz-request.js';
import { chunked, HOSTILE_FRAMINGS } from './framing.js';
import { mutate } from './request-mutations.js';
import type { RequestSource } from './request-source.js';

/** A client's act on its end of a connection once it has sent everything. */
export type Ending =
  /** Reads all answers, then closes. */
  | 'reads'
  /** Once all is quiet it says that it sends no more, and reads on. */
  | 'half-closes'
  /** Goes away without reading. */
  | 'hangs-up'
  | 'resets'
  /** Leaves its request unfinished and waits until it is refused. */
  | 'stalls';

export interface ExchangePlan {
  readonly index: number;
  readonly port: Port;
  /** The attempt, for a report. */
  readonly kind: string;
  /** The requests in it, in order: what its answers are compared with. */
  readonly asked: readonly Asked[];
  readonly parts: readonly Buffer[];
  /** Milliseconds between the parts; null: as fast as they go. */
  readonly pauseMs: number | null;
  readonly answersMax: number;
  /** Whether each request has to be answered; broken bytes may end a connection before that. */
  readonly whole: boolean;
  readonly ending: Ending;
}

const SPREAD_MS = [1, 5, 20];
const PIPELINE_MAX = 6;

export interface PlanOptions {
  /** Whether some requests are left unfinished until the service gives them up. */
  readonly stalls: boolean;
}

/** The exchange of that number of that seed: always the same, whatever ran before. */
export function planExchange(
  seed: number,
  index: number,
  port: Port,
  source: RequestSource,
  options: PlanOptions,
): ExchangePlan {
  const prng = new Prng(seed, index);
  const chance = prng.next();
  const plan = { index, port };
  if (options.stalls && chance < 0.0015) return { ...plan, ...stalled(source, prng) };
  if (chance < 0.13) return { ...plan, ...framed(source, prng) };
  if (chance < 0.16) return { ...plan, ...hasty(source, prng) };
  return { ...plan, ...ordinary(source, prng) };
}

type Rest = Omit<ExchangePlan, 'index' | 'port'>;

function askedOf({ method, target }: FuzzRequest): Asked {
  return { method, target };
}

/** One request or several behind each other, each with its bytes in order. */
function ordinary(source: RequestSource, prng: Prng): Rest {
  const count = prng.chance(0.75) ? 1 : 2 + prng.below(PIPELINE_MAX - 1);
  const requests = Array.from({ length: count }, () => {
    const request = source.request(prng, false);
    if (prng.chance(0.7)) mutate(request, prng);
    return request;
  });
  const last = requests.at(-1);
  if (last && prng.chance(0.6)) setHeader(last, 'Connection', 'close');
  const bytes = requests.map((request) =>
    request.body !== null && prng.chance(0.25)
      ? chunked(request, prng).bytes
      : requestBytes(request),
  );
  return {
    kind: count === 1 ? 'one request' : 'requests in a row',
    asked: requests.map(askedOf),
    ...delivery(Buffer.concat(bytes), prng),
    answersMax: count,
    whole: true,
    ending: 'reads',
  };
}

/** A request whose end can be seen in two ways, or not at all. */
function framed(source: RequestSource, prng: Prng): Rest {
  const request = source.request(prng, true);
  if (prng.chance(0.2)) mutate(request, prng);
  const framing = prng.pick(HOSTILE_FRAMINGS);
  const { bytes, answersMax, whole, asked } = framing(request, prng, source.bait(prng));
  return {
    kind: `framing: ${framing.name}`,
    // What may stand behind it is the harmless bait.
    asked: [
      { ...askedOf(request), ...asked },
      { method: 'GET', target: '/healthz' },
    ],
    ...delivery(bytes, prng),
    answersMax,
    whole,
    ending: whole ? 'reads' : 'half-closes',
  };
}

function hasty(source: RequestSource, prng: Prng): Rest {
  const request = source.request(prng, true);
  if (prng.chance(0.3)) mutate(request, prng);
  const bytes = requestBytes(request);
  const sent = prng.chance(0.5) ? bytes : bytes.subarray(0, prng.below(bytes.length));
  return {
    kind: 'hanging up',
    asked: [askedOf(request)],
    ...delivery(sent, prng),
    answersMax: 1,
    whole: false,
    ending: prng.chance(0.5) ? 'hangs-up' : 'resets',
  };
}

function stalled(source: RequestSource, prng: Prng): Rest {
  const request = source.request(prng, true);
  const bytes = requestBytes(request);
  const sent = bytes.subarray(0, 1 + prng.below(bytes.length - 1));
  return {
    kind: 'stalling',
    asked: [askedOf(request)],
    parts: [sent],
    pauseMs: null,
    answersMax: 1,
    whole: false,
    ending: 'stalls',
  };
}

/** All at once, or cut into a few packets, or slowly. */
function delivery(bytes: Buffer, prng: Prng): Pick<ExchangePlan, 'parts' | 'pauseMs'> {
  if (prng.chance(0.7)) return { parts: [bytes], pauseMs: null };
  const cuts = Array.from({ length: 1 + prng.below(6) }, () => prng.below(bytes.length + 1));
  const places = [0, ...cuts.toSorted((one, two) => one - two), bytes.length];
  const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  return { parts, pauseMs: prng.chance(0.5) ? prng.pick(SPREAD_MS) : null };
}
