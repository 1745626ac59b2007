import fc from 'fast-check';
import { SYSTEM_ACCOUNT, type StoredEvent } from './event-log.js';
import { foldAll, FoldedView, type Fold } from './fold.js';

const TYPES = ['Made', 'Changed', 'Removed'];

/** Keeps what it is given: it changes its value in place, as the large folds do. */
const IN_PLACE: Fold<Map<string, string[]>> = {
  initial: () => new Map(),
  evolve: (byType, { type, data }) => byType.set(type, [...(byType.get(type) ?? []), data]),
};
const AFRESH: Fold<string> = {
  initial: () => '',
  evolve: (text, { position, type, data }) => `${text} ${position}:${type}:${data}`,
};

const lane = fc
  .array(fc.record({ type: fc.constantFrom(...TYPES), data: fc.string() }), { maxLength: 40 })
  .map((events) => events.map((event, index) => stored(index + 1, event)));

function stored(position: number, of: Pick<StoredEvent, 'type' | 'data'>): StoredEvent {
  const columns = { accountId: SYSTEM_ACCOUNT, callId: null, lane: 0, at: 0 };
  return { ...columns, position, accountVersion: position, ...of };
}

test.each<[string, Fold<unknown>]>([
  ['in place', IN_PLACE],
  ['as another value', AFRESH],
])('a view that changes %s holds at each position the fold of the prefix', (_how, fold) => {
  fc.assert(
    fc.property(lane, (events) => {
      const view = new FoldedView(fold);
      events.forEach((event, index) => {
        view.takeIn(event);
        expect(view.at).toBe(index + 1);
        expect(view.value).toEqual(foldAll(fold, events.slice(0, index + 1)));
      });
    }),
  );
});

test('in parts that overlap, and out of turn, each event is taken in once', () => {
  const part = fc.tuple(fc.nat(40), fc.nat(40));
  fc.assert(
    fc.property(lane, fc.array(part, { maxLength: 10 }), (events, parts) => {
      const view = new FoldedView(AFRESH);
      for (const [from, to] of [...parts, [0, events.length] as const]) {
        for (const event of events.slice(from, to)) view.takeIn(event);
      }
      expect(view.at).toBe(events.length);
      expect(view.value).toBe(foldAll(AFRESH, events));
    }),
  );
});
