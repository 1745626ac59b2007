import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { momentParameter } from '#ledger/usage-queries.js';
import type { RateCard } from '#rating/rate-card.js';
import { invalidBody } from '#web/body.js';
import type { JsonFault } from '#web/strict-json.js';
import { uuidField } from '#web/body-fields.js';
import { cardFaults, membersOf, readMembers, type Members } from './body-faults.js';
import { callCost, rules } from './rate-card-schemas.js';

const CARD_DETAIL = 'Give a version, or call_cost and rules.';

const version = z.int().min(1).optional().meta({ description: 'A card that is published.' });
const accountId = uuidField
  .nullable()
  .default(null)
  .meta({ description: 'This account alone, also one of tests; null: all of them.' });
const moment = z.string().meta({ examples: ['2026-11-01', '2026-11-24T09:00:00Z'] });

/** Body of `POST /rate-cards/preview`, for those who read about it. */
export const previewRateCardBody = z
  .strictObject({
    version,
    call_cost: callCost.optional(),
    rules: rules.optional(),
    from: moment.meta({ description: 'RFC 3339, or a date for its first instant.' }),
    to: moment.meta({ description: 'Exclusive; after `from`.' }),
    account_id: accountId,
  })
  .meta({
    description: `A period, and a card: either \`version\`, or \`call_cost\` and \`rules\`.`,
  });

/** Prices to try: a card's version, or what one could say. */
export type TriedCard = { readonly version: number } | Pick<RateCard, 'call_cost' | 'rules'>;

/** Moments in ms since 1970, `to` exclusive. */
export interface PreviewRateCardBody {
  readonly card: TriedCard;
  readonly from: number;
  readonly to: number;
  readonly accountId: string | null;
}

/** Throws a ProblemException (`invalid-body`) with all faults at once. */
export function parsePreviewRateCard(body: unknown, calendar: Calendar): PreviewRateCardBody {
  const { call_cost, rules: proposedRules, ...others } = membersOf(body);
  const proposed = {
    ...(call_cost !== undefined && { call_cost }),
    ...(proposedRules !== undefined && { rules: proposedRules }),
  };
  const faults = triedFaults(others, proposed);
  const period = z.strictObject({
    version,
    from: momentParameter(calendar),
    to: momentParameter(calendar),
    account_id: accountId,
  });
  const read = readMembers(period, others, faults);
  if (read !== undefined && read.to <= read.from) {
    faults.push({ pointer: '/to', detail: 'Must lie after from.' });
  }
  if (read === undefined || faults.length > 0) throw invalidBody(faults);
  const { from, to, account_id: id } = read;
  const card = read.version === undefined ? (proposed as TriedCard) : { version: read.version };
  return { card, from, to, accountId: id };
}

function triedFaults(others: Members, proposed: Members): JsonFault[] {
  const isProposed = Object.keys(proposed).length > 0;
  if (others['version'] !== undefined && isProposed) {
    return [{ pointer: '/version', detail: CARD_DETAIL }];
  }
  if (isProposed) return cardFaults(proposed, ['call_cost', 'rules']);
  return others['version'] === undefined ? [{ pointer: '', detail: CARD_DETAIL }] : [];
}
