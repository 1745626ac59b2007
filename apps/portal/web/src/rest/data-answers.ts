import type {
  CreditNoteSummary,
  HeldInvoiceView,
  HeldSummary,
  InvoiceDraftView,
  InvoiceSummary,
  InvoiceView,
  ReceivablesView,
} from '../../../../../libs/ledger/src/views/invoice-reads.js';
import type { StatementView } from '../../../../../libs/ledger/src/views/statement-reads.js';
import type { Tax } from '#account/terms.js';
import type { Buyer, Seller } from '#billing/invoice.js';
import type { RESOURCES, ResourceName } from '#rating/resource.js';
import type { CatalogItem, View as PaidView } from '#rest/catalog/catalog.schemas.js';
import type { Pulled } from '#rest/pulls/pull.schemas.js';
import type * as Rest from '#rest/quotes/quote.schemas.js';
import type { Problem } from './problem.js';

// Answers that show or price the data itself, and invoices. Amounts are minor units.

export type { CreditNoteSummary, InvoiceSummary };
export type Invoice = InvoiceView;
/** The statement of account. */
export type Receivables = ReceivablesView;
/** A held one has no number yet. */
export type AnyInvoice = InvoiceView | HeldInvoiceView;
export type HeldInvoice = HeldSummary;
export type ListedInvoice = InvoiceSummary | HeldSummary;
/** A month in credits; of one that is not over, as far as it has come. */
export type Statement = StatementView;
/** The running month; `forecast`: what it is expected to come to. */
export type InvoiceDraft = InvoiceDraftView;

/** Who sends invoices, or whom they are addressed to: what is filled in of it. */
export type Party = Partial<
  Seller & Buyer & { readonly tax: Tax; readonly purchases: 'monthly'; readonly logo: string }
>;

export type { CatalogItem };

/** A category, which has a slug. */
export type Category = Omit<CatalogItem, 'slug'> & { readonly slug: string };

/** Categories, each behind the one above it, and groups of related trends. */
export interface Catalog {
  readonly categories: readonly Category[];
  readonly groups: readonly string[];
}

/** With its problem as pages show it. */
type Shown<Item extends { readonly problem: unknown }, Absent = never> = Omit<Item, 'problem'> & {
  readonly problem: Problem | Absent;
};

export type QuotedUrl = Shown<Rest.QuotedUrl, null>;
export type RefusedUrl = Shown<Rest.RefusedUrl>;

export interface Quote extends Omit<Rest.Quote, 'items'> {
  readonly items: readonly (QuotedUrl | RefusedUrl)[];
}

export interface Figures {
  readonly rank: number;
  readonly popularity: number;
  readonly yoy_percent_increase: number | null;
  readonly qoq_percent_increase: number | null;
  readonly mom_percent_increase: number | null;
  readonly google_share_percent: number | null;
  readonly tiktok_share_percent: number | null;
  readonly instagram_share_percent: number | null;
}

export type RankedItem = Figures & {
  readonly cat5_id?: string;
  readonly cat5_label?: string;
  readonly related_trend_id?: string;
  readonly related_trend_label?: string;
  readonly brand_id?: string;
  readonly brand_label?: string;
  readonly life_cycle?: string | null;
};

type RankedList = Exclude<(typeof RESOURCES)[ResourceName]['list'], 'timeseries'>;

/** The data of an answer: ranked items, or a time series. */
export type SoldData = { readonly [List in RankedList]?: readonly RankedItem[] } & {
  readonly timeseries?: readonly { readonly date: string; readonly real_volume: number }[];
};

export interface View extends Omit<PaidView, 'data' | 'unchanged_since'> {
  readonly unchanged_since: string | null;
  readonly data: SoldData;
}

export interface Pull extends Omit<Pulled, 'body'> {
  readonly body: {
    readonly key: string;
    readonly credits_used: number;
    readonly data: SoldData;
  };
}
