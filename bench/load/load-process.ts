// Fires calls at a server from a process of its own, so that making them does not slow it down.
import { collectGarbage } from '../collect-garbage.js';
import { CallMix } from './call-mix.js';
import { LoadRound, type Caller } from './load-round.js';
import type { LoadFailure, LoadOrder, LoadPlan, LoadResult } from './load.js';

/** Those of one account share out the resources, so that each opens its own. */
function callersOf(plan: LoadPlan): Caller[] {
  const { apiKeys, keysOfEach = 1, paths, connections, repeatPercent } = plan;
  const accounts = apiKeys.length / keysOfEach;
  return Array.from({ length: connections }, (_, index) => {
    const first = Math.floor(index / accounts);
    const step = Math.ceil(connections / accounts);
    const part = { caller: `connection ${index}`, first, step, end: paths.length };
    const mix = new CallMix(repeatPercent, part);
    const apiKey = apiKeys[(index % accounts) * keysOfEach + (first % keysOfEach)] ?? '';
    const rest = ` HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n`;
    return { mix, nextRequest: () => `GET ${paths[mix.next()] ?? ''}${rest}${preference}\r\n` };
  });
}

let plan: LoadPlan | undefined;
/** Lines of the head of every request of the order that is being fired. */
let preference = '';
/** By server: what one was asked is still new to the other. */
const byServer = new Map<string, readonly Caller[]>();

function callersFor({ url, connections }: LoadOrder): readonly Caller[] {
  if (plan === undefined) throw new Error('An order came before the plan.');
  const callers = byServer.get(url) ?? callersOf(plan);
  byServer.set(url, callers);
  return callers.slice(0, connections);
}

async function fire(order: LoadOrder): Promise<LoadResult | LoadFailure> {
  preference = order.withReceipts === true ? 'Prefer: receipt\r\n' : '';
  collectGarbage();
  try {
    return await new LoadRound(order, callersFor(order)).run();
  } catch (error) {
    return { failure: String(error) };
  }
}

process.on('message', (message: LoadPlan | LoadOrder) => {
  if ('paths' in message) plan = message;
  else void fire(message).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
