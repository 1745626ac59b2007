import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import { SYSTEM_ACCOUNT, type EventLog, type StoredEvent } from '#event-log/event-log.js';
import type { AccountLoader } from '#ledger/account-loader.js';
import { findProfiles, type Profiles } from '#ledger/profiles.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { Made } from '../accounts/answers.js';
import { originOf, type Change } from '../accounts/change.js';
import { profileIdOf, type CommandIds } from '../accounts/command-ids.js';
import type { CreateWebhookBody } from './create-webhook.body.js';
import { newWebhookSecret } from './signature.js';
import type { SystemChanges } from './system-changes.js';
import {
  WEBHOOK_CREATED,
  WEBHOOK_REMOVED,
  WEBHOOK_SECRET_ROTATED,
  type SecretReference,
  type WebhookCreated,
  type WebhookRemoved,
  type WebhookSecretRotated,
} from './webhook-events.js';
import { activeWebhook, noSuchWebhook } from './webhook-reads.js';
import type { WebhookSecrets } from './webhook-secrets.js';
import { webhookView, type WebhookWithSecret } from './webhook-view.js';
import { webhooksOf, type Webhook } from './webhook.js';

export interface WebhookChangesParts {
  readonly system: SystemChanges;
  readonly log: Pick<EventLog, 'ends'>;
  readonly ids: CommandIds;
  readonly secrets: WebhookSecrets;
  readonly profiles: Profiles;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

/** Idempotency keys of changes to webhooks name one change among all of them. */
export const WEBHOOK_SCOPE = 'webhooks';
/** All of them are gone through for every event that is told. */
const WEBHOOKS_MAX = 1_000;

/** What operators change about webhooks. Throws a ProblemException for what is refused. */
export class WebhookChanges {
  constructor(private readonly parts: WebhookChangesParts) {}

  /** Makes a webhook, whose id is its command's; it is told of what comes after. */
  async create(change: Change, body: CreateWebhookBody): Promise<Made<WebhookWithSecret>> {
    const { ids, log } = this.parts;
    await this.refuseNoAccount(body.account_id);
    const id = ids.next(WEBHOOK_SCOPE, change);
    const profile = await this.describe(profileIdOf(id, change), body);
    const after: number[] = [];
    for (const { lane, position } of await log.ends()) after[lane] = position;
    const made = await this.withSecret(id, id, change, (secret, events) => {
      const active = [...webhooksOf(events).values()].filter(({ removedAt }) => removedAt === null);
      if (active.length >= WEBHOOKS_MAX) throw tooMany();
      const { url, events: types, account_id } = body;
      const of = { webhook_id: id, url, events: types, account_id, secret, profile, after };
      const data: WebhookCreated = { ...originOf(change), ...of };
      return { type: WEBHOOK_CREATED, data };
    });
    await this.endIfClosed(body.account_id, change);
    return made;
  }

  /** Replaces the secret; the one before signs too for 24 hours. */
  async rotate(
    webhookId: string,
    change: Change,
    reason?: string,
  ): Promise<Made<WebhookWithSecret>> {
    const id = this.parts.ids.next(WEBHOOK_SCOPE, change);
    return this.withSecret(id, webhookId, change, (secret, events) => {
      activeWebhook(webhooksOf(events), webhookId);
      const of = { webhook_id: webhookId, secret };
      const data: WebhookSecretRotated = { ...originOf(change, reason), ...of };
      return { type: WEBHOOK_SECRET_ROTATED, data };
    });
  }

  /** Removes a webhook at once; doing it again changes nothing. */
  async remove(webhookId: string, change: Change, reason?: string): Promise<Made<null>> {
    const id = this.parts.ids.next(WEBHOOK_SCOPE, change);
    const { replayed } = await this.parts.system.append(id, change, (events) => {
      const webhook = webhooksOf(events).get(webhookId);
      if (webhook === undefined) throw noSuchWebhook();
      if (webhook.removedAt !== null) return null;
      const data: WebhookRemoved = { ...originOf(change, reason), webhook_id: webhookId };
      return { type: WEBHOOK_REMOVED, data };
    });
    return { view: null, replayed };
  }

  /** Removes every webhook of a closed account; doing it again changes nothing. */
  async endAll(accountId: string, change: Change, reason?: string): Promise<void> {
    for (;;) {
      const id = this.parts.ids.next(WEBHOOK_SCOPE, { ...change, idempotencyKey: null });
      const { event } = await this.parts.system.append(id, change, (events) => {
        const left = [...webhooksOf(events).values()].find(
          (webhook) => webhook.accountId === accountId && webhook.removedAt === null,
        );
        if (left === undefined) return null;
        const data: WebhookRemoved = { ...originOf(change, reason), webhook_id: left.id };
        return { type: WEBHOOK_REMOVED, data };
      });
      if (event === null) return;
    }
  }

  /** Whoever closed the account while its webhook was made may not have seen it. */
  private async endIfClosed(accountId: string | null, change: Change): Promise<void> {
    if (accountId === null || (await this.closedAt(accountId)) === null) return;
    await this.endAll(accountId, change);
    throw accountClosed();
  }

  /** A secret whose row no event names, because the change was refused or made before, is dropped. */
  private async withSecret(
    id: string,
    webhookId: string,
    change: Change,
    decide: (
      secret: SecretReference,
      events: readonly StoredEvent[],
    ) => { readonly type: string; readonly data: WebhookCreated | WebhookSecretRotated },
  ): Promise<Made<WebhookWithSecret>> {
    const { secrets, system } = this.parts;
    const secret = newWebhookSecret();
    const row = await secrets.save(secret);
    const { history, replayed } = await system
      .append(id, change, (events) => decide(row, events))
      .catch(async (error: unknown) => {
        if (isRefusal(error)) await secrets.forget(row);
        throw error;
      });
    if (replayed) await secrets.forget(row);
    const view = await this.show(activeWebhook(webhooksOf(history), webhookId));
    return { view: replayed ? view : { ...view, secret }, replayed };
  }

  private async show(webhook: Webhook): Promise<WebhookWithSecret> {
    const { pool, clock } = this.parts;
    const ids = webhook.profile === null ? [] : [webhook.profile];
    const profiles = await findProfiles(pool, ids);
    return webhookView(webhook, profiles.get(webhook.profile ?? '')?.note ?? null, clock.now());
  }

  private async describe(profileId: string, { description, account_id }: CreateWebhookBody) {
    if (description === null) return null;
    const { profiles } = this.parts;
    return profiles.save(profileId, account_id ?? SYSTEM_ACCOUNT, { note: description });
  }

  private async refuseNoAccount(accountId: string | null): Promise<void> {
    if (accountId === null) return;
    const closedAt = await this.closedAt(accountId);
    if (closedAt === undefined) {
      throw invalidBody([{ pointer: '/account_id', detail: 'There is no such account.' }]);
    }
    if (closedAt !== null) throw accountClosed();
  }

  /** Ms since 1970; null: it is open, undefined: there is no such account. */
  private async closedAt(accountId: string): Promise<number | null | undefined> {
    const { accounts } = await this.parts.loader.loadCores([accountId]);
    const state = accounts.get(accountId)?.state;
    return state === undefined || state.version === 0 ? undefined : state.closedAt;
  }
}

function accountClosed(): ProblemException {
  return new ProblemException(refusalProblem({ reason: 'account-closed' }));
}

/** After an append of unknown fate the event may be there, and its secret must be. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProblemException && error.problem.slug !== 'outcome-unknown';
}

function tooMany(): ProblemException {
  return new ProblemException(problem('conflict', `There are ${WEBHOOKS_MAX} webhooks already.`));
}
