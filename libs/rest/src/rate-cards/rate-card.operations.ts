import { z } from 'zod';
import { csvTable, type Column } from '#web/csv.js';
import { sendTable } from '#web/table-answer.js';
import { created, ok, page, sending } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { parsePublishRateCard } from './rate-card-bodies.js';
import { RateCardService } from './rate-card-service.js';
import {
  PreviewRateCard,
  PublishRateCard,
  RateCard,
  RateCardDiff,
  RateCardPreview,
  type PreviewedAccount,
} from './rate-card.schemas.js';

/** A preview as CSV: one line an account. */
const PREVIEW_COLUMNS: readonly Column<PreviewedAccount>[] = [
  { name: 'account_id', cell: ({ account_id: id }) => id },
  { name: 'name', cell: ({ name }) => name },
  { name: 'test', cell: ({ test }) => test },
  { name: 'rate_card', cell: ({ rate_card: card }) => card },
  { name: 'calls', cell: ({ calls }) => calls },
  { name: 'actual_credits', cell: ({ actual_credits: credits }) => credits },
  { name: 'preview_credits', cell: ({ preview_credits: credits }) => credits },
  { name: 'difference', cell: ({ difference }) => difference },
];

const OTHER_VERSION = 'The version of the rate card to compare with';

const { read, change } = operationsOf<RateCardService>('Rate cards');

const publish = change({
  id: 'publishRateCard',
  method: 'post',
  path: '/rate-cards',
  summary: 'Publishes a rate card for a window to come',
  description:
    'It prices every call from the beginning of that window on, until the window of another card. ' +
    'Of several cards for one window the newest version counts. A window that runs already, or ' +
    'begins in less than 60 s, is refused.',
  access: STAFF_CHANGE,
  body: PublishRateCard,
  readBody: (_cards, body) => parsePublishRateCard(body),
  answer: created(RateCard),
  location: ({ version }) => `/rate-cards/${version}`,
  cli: {
    name: 'rate-card publish',
    description: 'publish a card: effective_window, call_cost and rules as a JSON file',
    example: 'card.json --reason "prices of 2027"',
    arguments: ['file'],
    options: ['reason'],
  },
  run: (cards, { change: made, body }) => cards.publish(made, body),
});

const list = read({
  id: 'listRateCards',
  path: '/rate-cards',
  summary: 'All rate cards, by version',
  description:
    'The card that is built in comes first. `in_force` marks the card that prices the running ' +
    'window.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(RateCard),
  cli: {
    name: 'rate-card list',
    description: 'every card that was published',
    example: '',
    columns: ['version', 'effective_window', 'effective_from', 'call_cost', 'in_force', 'reason'],
  },
  run: async (cards, { query }) => ({ view: await cards.list(query) }),
});

const get = read({
  id: 'getRateCard',
  path: '/rate-cards/{version}',
  summary: 'One rate card',
  description:
    'The rules of a published card, in the order in which they are tried. A published card ' +
    'never changes.',
  access: STAFF_READ,
  answer: ok(RateCard),
  cli: {
    name: 'rate-card show',
    description: 'one card with its rules',
    example: '1 --json',
  },
  run: async (cards, { path }) => ({ view: await cards.get(path.version) }),
});

const diff = read({
  id: 'diffRateCards',
  path: '/rate-cards/{version}/diff',
  summary: 'What a rate card changes against another one',
  description:
    'Rules are compared by name: which were added, removed or changed, and whether their ' +
    'order differs. Use it before you publish or preview a card.',
  access: STAFF_READ,
  query: z.strictObject({
    against: z
      .string(OTHER_VERSION)
      .regex(/^[1-9]\d{0,14}$/, OTHER_VERSION)
      .transform(Number)
      .meta({
        description: 'The version to compare with.',
        schema: { type: 'integer', minimum: 1 },
      }),
  }),
  answer: ok(RateCardDiff),
  cli: {
    name: 'rate-card diff',
    description: 'what a card changes against another',
    example: '2 1',
    arguments: ['against'],
  },
  run: async (cards, { path, query }) => ({ view: await cards.diff(path.version, query.against) }),
});

const preview = read({
  id: 'previewRateCard',
  method: 'post',
  path: '/rate-cards/preview',
  summary: 'What a period would have cost by a rate card',
  description:
    'Prices the calls of the period again, as first and repeated calls as they were, whatever card ' +
    'their account had. Nothing is written, and no balance is looked at. A process works out one ' +
    'preview at a time.',
  access: STAFF_READ,
  query: z.strictObject({
    test: z
      .enum(['true', 'false'])
      .default('false')
      .meta({
        description: 'With test accounts; an account that is named is counted in any case.',
        schema: { type: 'boolean', default: false },
      }),
  }),
  body: PreviewRateCard,
  readBody: (cards, body) => cards.readPreview(body),
  answer: sending(RateCardPreview, ['text/csv'], {
    'text/csv': csvTable(PREVIEW_COLUMNS, exampleOf(RateCardPreview).items),
  }),
  problems: ['conflict'],
  cli: {
    name: 'rate-card preview',
    description: 'what the calls of a period would have cost by another card',
    example: '--card 2 --from 2026-11-01 --to 2026-12-01',
    options: ['version', 'file', 'from', 'to', 'account_id', 'test'],
    flags: {
      version: '--card <version>',
      test: '--test <true|false>',
    },
  },
  run: (cards, { query, body }) => ({
    view: async (request, reply) => {
      const leaving = new AbortController();
      reply.raw.once('close', () => leaving.abort());
      const previewed = await cards.preview(body, query.test === 'true', leaving.signal);
      const { items, next, ...rest } = previewed;
      sendTable(request, reply, { items, next }, PREVIEW_COLUMNS, rest);
    },
  }),
});

/** The rate cards. */
export const RATE_CARDS: Resource = {
  service: RateCardService,
  operations: [publish, list, preview, get, diff],
};
