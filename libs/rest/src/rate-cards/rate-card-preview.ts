import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { ownCard } from '#account/own-cards.js';
import { productOf } from '#rating/named-resource.js';
import type { RateCard } from '#rating/rate-card.js';
import type { PreviewedAccount, RateCardPreview } from './rate-card.schemas.js';
import { scanCalls } from './preview-scan.js';
import type { PreviewScope } from './preview-stretches.js';
import { PreviewSums, totalOf, type CallGroup, type PreviewSum } from './preview-sums.js';

type Preview = Pick<RateCardPreview, 'total' | 'items'>;

/** As much of a card as prices calls. */
export type PreviewedCard = Pick<RateCard, 'product' | 'call_cost' | 'rules'>;

type AccountFacts = Pick<PreviewedAccount, 'test' | 'rate_card'> & { readonly profile: string };

const ITEMS_MAX = 10_000;
const ACCOUNTS_PER_QUERY = 200;
const GROUPS_PER_TURN = 500;

/**
 * The prices of a period's calls of a card's product by that card, beside their charges. Kinds and
 * counts are as they were: nothing is decided again, and the card is tried on accounts with a card
 * of their own too. In memory are the accounts of the period and no calls. Accounts that are tests
 * are left out, unless `scope.test` or asked for by their id. Throws PreviewTooLargeError,
 * UnpricedUnitsError, the signal's reason, and what a query throws.
 */
export async function previewRateCard(
  pool: pg.Pool,
  card: PreviewedCard,
  scope: PreviewScope,
  signal: AbortSignal,
): Promise<Preview> {
  const sums = new PreviewSums(card);
  const ofProduct = { ...scope, product: productOf(card) };
  await scanCalls(pool, ofProduct, (groups) => addInTurns(sums, groups), signal);
  const facts = await factsOf(pool, [...sums.byAccount().keys()], ofProduct.product, signal);
  const withTests = scope.test || scope.accountId !== null;
  const counted = [...sums.byAccount()].filter(
    ([id]) => withTests || facts.get(id)?.test === false,
  );
  const sorted = counted.toSorted(
    ([idA, a], [idB, b]) => rise(b) - rise(a) || (idA < idB ? -1 : 1),
  );
  const { calls, actual, preview } = totalOf(counted.map(([, sum]) => sum));
  return {
    total: {
      accounts: counted.length,
      calls,
      actual_credits: actual,
      preview_credits: preview,
      difference: preview - actual,
    },
    items: await named(pool, sorted.slice(0, ITEMS_MAX), facts),
  };
}

/** Calls of others are not kept waiting while many groups are priced. */
async function addInTurns(sums: PreviewSums, groups: readonly CallGroup[]): Promise<void> {
  for (const [index, group] of groups.entries()) {
    if (index > 0 && index % GROUPS_PER_TURN === 0) await nextTurn();
    sums.add(group);
  }
}

function rise({ actual, preview }: PreviewSum): number {
  return preview - actual;
}

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += ACCOUNTS_PER_QUERY) {
    yield items.slice(at, at + ACCOUNTS_PER_QUERY);
  }
}

async function factsOf(
  pool: pg.Pool,
  ids: readonly string[],
  product: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, AccountFacts>> {
  const loader = new AccountLoader(pool);
  const facts = new Map<string, AccountFacts>();
  for (const slice of slices(ids)) {
    signal.throwIfAborted();
    const { accounts } = await loader.loadCores(slice);
    for (const [id, { state }] of accounts) {
      const own = ownCard(state, `/${product}/`) ?? null;
      facts.set(id, { test: state.test, rate_card: own, profile: state.profile });
    }
  }
  return facts;
}

async function named(
  pool: pg.Pool,
  sums: readonly (readonly [string, PreviewSum])[],
  facts: ReadonlyMap<string, AccountFacts>,
): Promise<PreviewedAccount[]> {
  const items: PreviewedAccount[] = [];
  for (const slice of slices(sums)) {
    const profiles = await findProfiles(
      pool,
      slice.flatMap(([id]) => facts.get(id)?.profile ?? []),
    );
    for (const [id, sum] of slice) items.push(item(id, sum, facts.get(id), profiles));
  }
  return items;
}

function item(
  id: string,
  sum: PreviewSum,
  facts: AccountFacts | undefined,
  profiles: Awaited<ReturnType<typeof findProfiles>>,
): PreviewedAccount {
  if (facts === undefined) throw new Error(`Account ${id} has calls and was never opened.`);
  const { test, rate_card, profile } = facts;
  return {
    account_id: id,
    name: profiles.get(profile)?.name ?? null,
    test,
    rate_card,
    calls: sum.calls,
    actual_credits: sum.actual,
    preview_credits: sum.preview,
    difference: rise(sum),
  };
}
