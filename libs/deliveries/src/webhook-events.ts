import type { Origin } from '#account/terms.js';
import type { NotificationType } from '#projections/projections/notification-types.js';

// These names are the stored format of lane 0: types and members may be added, never renamed.

/** A row of the table `secret`, named by id and SHA-256 in hex. */
export interface SecretReference {
  readonly id: string;
  readonly sha256: string;
}

export const WEBHOOK_CREATED = 'WebhookCreated';
export const WEBHOOK_REMOVED = 'WebhookRemoved';
export const WEBHOOK_SECRET_ROTATED = 'WebhookSecretRotated';
export const WEBHOOK_TESTED = 'WebhookTested';
export const DELIVERY_RESENT = 'DeliveryResent';

export interface WebhookCreated extends Origin {
  readonly webhook_id: string;
  readonly url: string;
  /** Null: all, also those that are still to come. */
  readonly events: readonly NotificationType[] | null;
  /** Null: those of all accounts, and the system's. */
  readonly account_id: string | null;
  readonly secret: SecretReference;
  /** The row with its description. */
  readonly profile: { readonly id: string; readonly sha256: string } | null;
  /** Where each lane of the log stood, by its number: it receives what came after. */
  readonly after: readonly number[];
}

export interface WebhookRemoved extends Origin {
  readonly webhook_id: string;
}

/** The secret before signs too for a while. */
export interface WebhookSecretRotated extends Origin {
  readonly webhook_id: string;
  readonly secret: SecretReference;
}

export interface WebhookTested extends Origin {
  readonly webhook_id: string;
}

export interface DeliveryResent extends Origin {
  readonly delivery_id: string;
}
