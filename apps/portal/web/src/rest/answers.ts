import type { Buyer, CatalogItem, Invoice, Seller } from '#dist/pages/schemas.js';
import type { RESOURCES, ResourceName } from '#rating/resource.js';

// What the service answers is said by its operations; the build writes their types.

export type * from '#dist/pages/schemas.js';
export type { Page } from '#client/listing.js';
export type { UsageDimension as Dimension } from '#projections/views/usage-dimension.js';

/** Who sends invoices, or whom they are addressed to: what is filled in of it. */
export type Party = Partial<Seller & Buyer>;

/** The fate of an invoice: reads answer it, the bytes of the document have no such members. */
type Read = Required<Pick<Invoice, 'state' | 'payments' | 'credit_notes' | 'reminders'>>;

export type IssuedInvoice = Invoice & Read & { readonly number: string };
/** It has no number while something is missing. */
export type HeldInvoice = Invoice & Read & { readonly number: null };
export type ShownInvoice = IssuedInvoice | HeldInvoice;

/** A category, which has a slug. */
export type Category = CatalogItem & { readonly slug: string };

/** Categories, each behind the one above it, and groups of related trends. */
export interface Catalog {
  readonly categories: readonly Category[];
  readonly groups: readonly string[];
}

export interface Figures {
  readonly rank: number;
  readonly popularity: number;
  readonly yoy_percent_increase: number | null;
  readonly qoq_percent_increase: number | null;
  readonly mom_percent_increase: number | null;
}

/** Shares by source: a source has a name of its own in each service. */
type Shares = Readonly<Partial<Record<`${string}_share_percent`, number | null>>>;

export type RankedItem = Figures &
  Shares & {
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
