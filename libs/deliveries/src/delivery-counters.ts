/** Deliveries of this process since its start. */
export interface DeliveryCounters {
  /** Attempts that arrived. */
  sent: number;
  /** Attempts that failed and are to be made again. */
  retried: number;
  /** Deliveries given up. */
  failed: number;
}

export function newCounters(): DeliveryCounters {
  return { sent: 0, retried: 0, failed: 0 };
}
