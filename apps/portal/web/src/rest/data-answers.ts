import type {
  CreditNoteSummary,
  InvoiceDraftView,
  InvoiceSummary,
  InvoiceView,
} from '../../../../../libs/ledger/src/views/invoice-reads.js';
import type { StatementView } from '../../../../../libs/ledger/src/views/statement-reads.js';
import type { RESOURCES, ResourceName } from '#rating/resource.js';
import type { Problem } from './problem.js';

// Answers that show or price the data itself, and invoices. Amounts are minor units.

export type { CreditNoteSummary, InvoiceSummary };
export type Invoice = InvoiceView;
/** A month in credits; of one that is not over, as far as it has come. */
export type Statement = StatementView;
/** The running month; `forecast`: what it comes to if it goes on at its pace. */
export type InvoiceDraft = InvoiceDraftView;

export interface Category {
  readonly id: string;
  readonly level: string;
  readonly label: string;
  readonly slug: string;
  readonly parent_id: string | null;
}

export interface Catalog {
  readonly release: string;
  readonly through: string;
  readonly regions: readonly string[];
  readonly levels: readonly string[];
  readonly limits: readonly string[];
  readonly groups: readonly string[];
  readonly categories: readonly Category[];
}

export interface BrandName {
  readonly id: string;
  readonly label: string;
}

export interface QuotedUrl {
  readonly url: string;
  readonly key: string;
  readonly kind: 'base' | 'repeat';
  readonly call_cost: number;
  readonly data_cost: number;
  readonly credits: number;
  readonly rule: string;
  readonly window: string;
  readonly window_ends_at: string;
  readonly next_window_credits: number;
  readonly problem: Problem | null;
}

export interface RefusedUrl {
  readonly url: string;
  readonly problem: Problem;
}

export interface Quote {
  readonly items: readonly (QuotedUrl | RefusedUrl)[];
  readonly total_credits: number;
  readonly affordable: boolean;
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

export interface View {
  readonly key: string;
  readonly window: string;
  readonly release: string;
  readonly through: string;
  readonly unchanged_since: string | null;
  readonly data: SoldData;
}

export interface Pull {
  readonly status: number;
  readonly call_id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly key: string;
    readonly credits_used: number;
    readonly data: SoldData;
  };
}
