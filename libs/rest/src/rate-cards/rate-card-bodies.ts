import type { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { momentParameter } from '../usage/usage-queries.js';
import { REGIONS } from '#popularity/regions.js';
import { INDEX } from '#rating/index-keys.js';
import type { ProposedRateCard } from '#rating/publish-rate-card.js';
import { validateRateCard, type RateCard, type RateCardMember } from '#rating/rate-card.js';
import { isVisible } from '#rating/visible-text.js';
import { invalidBody, parseBody } from '#web/body.js';
import { ProblemException } from '#web/problem.js';
import type { JsonFault } from '#web/strict-json.js';
import { Reason } from '../operation/reason.js';
import { previewScope } from './rate-card.schemas.js';

const CARD_DETAIL = 'Give a version, or call_cost and rules, with the product unless it is v1.';

type Members = Readonly<Record<string, unknown>>;

export interface PublishRateCardBody {
  readonly proposed: ProposedRateCard;
  readonly reason: string | undefined;
}

/** Prices to try: a card's version, or the members of one. */
export type TriedCard =
  { readonly version: number } | Pick<RateCard, 'product' | 'call_cost' | 'rules'>;

/** Moments in ms since 1970, `to` exclusive. */
export interface PreviewRateCardBody {
  readonly card: TriedCard;
  readonly from: number;
  readonly to: number;
  readonly accountId: string | null;
}

/** Throws a ProblemException (`invalid-body`) with all faults at once. */
export function parsePublishRateCard(body: unknown): PublishRateCardBody {
  const { reason, ...card } = membersOf(body);
  const faults = cardFaults(card, ['effective_window', 'call_cost', 'rules']);
  const others = readMembers(Reason, reason === undefined ? {} : { reason }, faults);
  if (faults.length > 0) throw invalidBody(faults);
  return { proposed: card as unknown as ProposedRateCard, reason: others?.reason };
}

/** Throws a ProblemException (`invalid-body`) with all faults at once. */
export function parsePreviewRateCard(body: unknown, calendar: Calendar): PreviewRateCardBody {
  const { product, call_cost, rules, ...others } = membersOf(body);
  const proposed = {
    ...(call_cost !== undefined && { call_cost }),
    ...(rules !== undefined && { rules }),
    ...(product !== undefined && { product }),
  };
  const faults = triedFaults(others, proposed);
  const moment = momentParameter(calendar);
  const read = readMembers(previewScope.extend({ from: moment, to: moment }), others, faults);
  if (read !== undefined && read.to <= read.from) {
    faults.push({ pointer: '/to', detail: 'Must lie after from.' });
  }
  if (read === undefined || faults.length > 0) throw invalidBody(faults);
  const { version, from, to, account_id: accountId } = read;
  const card = version === undefined ? (proposed as TriedCard) : { version };
  return { card, from, to, accountId };
}

function triedFaults(others: Members, proposed: Members): JsonFault[] {
  const isProposed = Object.keys(proposed).length > 0;
  if (others['version'] !== undefined && isProposed) {
    return [{ pointer: '/version', detail: CARD_DETAIL }];
  }
  if (isProposed) return cardFaults(proposed, ['call_cost', 'rules']);
  return others['version'] === undefined ? [{ pointer: '', detail: CARD_DETAIL }] : [];
}

/** The members of a body that must be an object. Throws a ProblemException (`invalid-body`). */
function membersOf(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    const { rules } = body as Members;
    return Array.isArray(rules)
      ? { ...body, rules: rules.map(withTrimmedName) }
      : (body as Members);
  }
  const detail = body === undefined ? 'A JSON body is needed.' : 'Must be an object.';
  throw invalidBody([{ pointer: '', detail }]);
}

/** Name of a rule that is one. */
function nameOf(rule: unknown): string | undefined {
  const { name } = (rule ?? {}) as Members;
  return typeof name === 'string' ? name : undefined;
}

function withTrimmedName(rule: unknown): unknown {
  const name = nameOf(rule)?.replaceAll(/^\p{Z}+|\p{Z}+$/gu, '');
  return name === undefined ? rule : { ...(rule as Members), name };
}

/** Faults of the part of a body that is a rate card, or some members of one. */
function cardFaults(card: Members, members: readonly RateCardMember[]): JsonFault[] {
  const faults = validateRateCard(card, members).map(({ pointer, detail }) => ({
    pointer,
    detail: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`,
  }));
  // What is stored may hold other names and regions: it is read as it is.
  const names = Array.isArray(card['rules']) ? card['rules'].map(nameOf) : [];
  names.forEach((name, index) => {
    if (!name || isVisible(name)) return;
    faults.push({ pointer: `/rules/${index}/name`, detail: 'This must not be blank.' });
  });
  const { product = INDEX, rules } = card;
  const ofRegions = product === INDEX ? regionFaults(rules) : [];
  const places = new Set(ofRegions.map(({ pointer }) => pointer));
  return [...faults.filter(({ pointer }) => !places.has(pointer)), ...ofRegions];
}

/** A rule for a region that the service does not have would match nothing. */
function regionFaults(rules: unknown): JsonFault[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) => {
    const { region } = ((rule as Members | null)?.['match'] ?? {}) as Members;
    if (region === undefined || REGIONS.some((known) => known === region)) return [];
    const detail = `Must be one of ${REGIONS.join(', ')}.`;
    return [{ pointer: `/rules/${index}/match/region`, detail }];
  });
}

/** Reads the other part by its schema; what is wrong with it is added to `faults`. */
function readMembers<Schema extends z.ZodType>(
  schema: Schema,
  members: Members,
  faults: JsonFault[],
): z.output<Schema> | undefined {
  try {
    return parseBody(schema, members);
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    faults.push(...(error.problem.members['errors'] as readonly JsonFault[]));
    return undefined;
  }
}
