/** One event on its way to one webhook or one e-mail address. Times are ms since 1970. */
export interface Delivery {
  readonly id: string;
  /** The webhook, or the mail server (`isMailServer`). */
  readonly receiver: string;
  readonly accountId: string | null;
  /** Where its event stands; null: a test, which no event made. */
  readonly lane: number | null;
  readonly position: number | null;
  readonly type: string;
  /** Of an e-mail: the row that holds the addresses, and which of them it is. */
  readonly profileId: string | null;
  readonly ordinal: number | null;
  readonly status: DeliveryStatus;
  /** Scheduled tries that have begun. */
  readonly tries: number;
  /** Null: none is to come. */
  readonly nextAt: number | null;
  readonly createdAt: number;
}

/** `cancelled`: nobody is to have it any more, because its webhook was removed or a debt paid. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A delivery before its first attempt. */
export type NewDelivery = Omit<Delivery, 'status' | 'tries' | 'nextAt' | 'createdAt'>;

/** The outcome of one attempt. */
export type Outcome =
  | { readonly outcome: 'delivered'; readonly status: number | null }
  | {
      readonly outcome: 'failed';
      readonly status: number | null;
      readonly detail: string;
      /** Trying again cannot help. */
      readonly isFinal: boolean;
    }
  /** Nobody is there any more to deliver to; that is no attempt. */
  | { readonly outcome: 'cancelled' };

export interface Attempt {
  readonly id: string;
  readonly at: number;
  readonly durationMs: number;
  readonly outcome: 'delivered' | 'failed';
  /** Of the HTTP answer; null where there was none, and for e-mail. */
  readonly status: number | null;
  readonly detail: string | null;
}

/** An outcome with when it came about. */
export interface DeliveryAttempt {
  readonly id: string;
  readonly at: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
}
