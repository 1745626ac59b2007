import fc from 'fast-check';
import { hashEvent, FIRST_HEAD } from '#event-log/hash-chain.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { headLeafHash, MerkleTree } from '#event-log/merkle.js';
import { callsRoot, CallsTree } from './calls-tree.js';

const TYPES = ['CallMade', 'CallMade', 'CallMade', 'CallMade', 'CreditsGranted', 'MonthClosed'];

interface Step {
  readonly event: StoredEvent;
  readonly head: string;
}

function stepsOf(types: readonly string[]): readonly Step[] {
  let head = FIRST_HEAD;
  return types.map((type, index) => {
    const event = { accountVersion: index + 1, type } as StoredEvent;
    head = hashEvent(head, { ...event, accountId: 'a', callId: null, at: 0, data: '{}' });
    return { event, head };
  });
}

const histories = fc.array(fc.constantFrom(...TYPES), { maxLength: 60 }).map(stepsOf);

/** The last month that was closed, recomputed from all events. */
function lastClosed(steps: readonly Step[]): unknown {
  const at = steps.findLastIndex(({ event }) => event.type === 'MonthClosed');
  if (at < 0) return undefined;
  const tree = new MerkleTree();
  const before = steps.slice(0, at);
  const from = before.findLastIndex(({ event }) => event.type === 'MonthClosed') + 1;
  for (const { event, head } of before.slice(from)) {
    if (event.type === 'CallMade') tree.add(headLeafHash(head));
  }
  return { version: at + 1, ...callsRoot(tree) };
}

function closedOf(text: string | null): unknown {
  return text === null ? undefined : (JSON.parse(text) as { closed?: unknown }).closed;
}

test('however often its row is written and read back, a month has the root of all its calls', () => {
  fc.assert(
    fc.property(histories, fc.array(fc.boolean()), (steps, breaks) => {
      const whole = CallsTree.empty();
      let broken = CallsTree.empty();
      for (const [index, { event, head }] of steps.entries()) {
        whole.add(event, head);
        broken.add(event, head);
        if (breaks[index] === true) broken = CallsTree.of(broken.text(index + 1), index + 1);
      }
      const text = whole.text(steps.length);
      expect(broken.text(steps.length)).toBe(text);
      expect(closedOf(text)).toEqual(lastClosed(steps));
    }),
  );
});

test('a row of a program that knows no trees is known again after the next close', () => {
  const stale = CallsTree.empty().text(3);
  const steps = stepsOf(['CallMade', 'MonthClosed', 'CallMade', 'MonthClosed']);
  for (const tree of [CallsTree.of(null, 0), CallsTree.of(stale, 4)]) {
    const texts = steps.map(({ event, head }) => {
      tree.add(event, head);
      return tree.text(event.accountVersion);
    });
    expect(texts[0]).toBeNull();
    expect([closedOf(texts[1] ?? null), closedOf(texts[2] ?? null)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(closedOf(texts[3] ?? null)).toEqual(lastClosed(steps));
  }
});
