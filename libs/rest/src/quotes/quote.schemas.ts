import { z } from 'zod';
import { oneOfProblems, problemSlugs } from '#web/problem-names.js';
import type { Frozen } from '../operation/frozen.js';
import { CallKind } from '../usage/call-kind.js';

const URLS_MAX = 1_000;

const credits = z.int();

/** Calls to price, in their order. */
export const QuoteRequest = z
  .strictObject({ urls: z.array(z.string()).min(1).max(URLS_MAX) })
  .meta({ id: 'QuoteRequest' });
export type QuoteRequest = z.output<typeof QuoteRequest>;

const AnyProblem = z.looseObject({}).meta({ id: 'AnyProblem', ...oneOfProblems(problemSlugs()) });

/** A call with its price. */
export const QuotedUrl = z
  .strictObject({
    url: z.string(),
    key: z.string(),
    kind: CallKind,
    call_cost: credits,
    data_cost: credits,
    credits,
    rule: z.string(),
    window: z.string().regex(/^\d{4}w\d{2}$/),
    window_ends_at: z.iso.datetime(),
    next_window_credits: credits.meta({
      description:
        'What the call costs if the same URLs are called in this order in the next window.',
    }),
    problem: AnyProblem.nullable().meta({
      description: 'Why the call would be refused after those before it; null: it would not be.',
    }),
  })
  .meta({ id: 'QuotedUrl' });
export type QuotedUrl = Frozen<z.output<typeof QuotedUrl>>;

/** A URL that is no call. */
export const RefusedUrl = z
  .strictObject({ url: z.string(), problem: AnyProblem })
  .meta({ id: 'RefusedUrl' });
export type RefusedUrl = Frozen<z.output<typeof RefusedUrl>>;

export const Quote = z
  .strictObject({
    items: z.array(z.union([QuotedUrl, RefusedUrl])),
    next: z.null(),
    total_credits: credits.meta({ description: 'What they cost if the funds are there.' }),
    shortfall_credits: credits.meta({
      description: 'What balance and overdraft lack of `total_credits`; 0 if nothing.',
    }),
    affordable: z.boolean().meta({
      description: 'Whether all could be called now: no item has a `problem`.',
    }),
  })
  .meta({ id: 'Quote' });
export type Quote = Frozen<z.output<typeof Quote>>;
