import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import {
  SYSTEM_ACCOUNT,
  SYSTEM_LANE,
  type EventLog,
  type StoredEvent,
} from '#event-log/event-log.js';
import { foldAll } from '#event-log/fold.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { findProfiles, type Profiles } from '#projections/texts/profiles.js';
import type { TextKeys } from '#projections/texts/text-keys.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import type { CreateWebhookBody } from './create-webhook.body.js';
import { newWebhookSecret } from './signature.js';
import type {
  WithoutOrigin,
  SystemChange,
  SystemChanges,
} from '#deciding/changes/system-changes.js';
import { encryptedText, withEncryptedReason } from './encrypted-texts.js';
import {
  WEBHOOK_CREATED,
  WEBHOOK_REMOVED,
  WEBHOOK_SECRET_ROTATED,
  type SecretReference,
  type WebhookCreated,
  type WebhookRemoved,
  type WebhookSecretRotated,
} from './webhook-events.js';
import { activeWebhook, noSuchWebhook, withUrls, type WebhookReads } from './webhook-reads.js';
import type { WebhookSecrets } from './webhook-secrets.js';
import { webhookView, type WebhookWithSecret } from './webhook-view.js';
import type { Webhook } from './webhook.js';
import { WEBHOOKS, type Webhooks } from './webhooks.js';

export interface WebhookChangesParts {
  readonly system: SystemChanges;
  readonly log: Pick<EventLog, 'ends' | 'findCalls'>;
  readonly secrets: WebhookSecrets;
  readonly profiles: Profiles;
  readonly reads: Pick<WebhookReads, 'all'>;
  readonly texts: TextKeys;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

/** Idempotency keys of changes to webhooks name one change among all of them. */
export const WEBHOOK_SCOPE = 'webhooks';
/** All that an event concerns are gone through for it: those of its account and those of all. */
const ACCOUNT_WEBHOOKS_MAX = 20;
const SYSTEM_WEBHOOKS_MAX = 1_000;

/** Changes of webhooks by operators. Throws a ProblemException for a refusal. */
export class WebhookChanges {
  constructor(private readonly parts: WebhookChangesParts) {}

  /** Makes a webhook, whose id is its command's; it receives later events. */
  async create(change: Change, body: CreateWebhookBody): Promise<ChangeResult<WebhookWithSecret>> {
    const { system, log, texts } = this.parts;
    await this.refuseNoAccount(body.account_id);
    const creation = system.of(WEBHOOK_SCOPE, change);
    const { id } = creation;
    const profile = await this.describe(creation.profileId, body);
    const url = await encryptedText(texts, body.account_id, body.url);
    const after: number[] = [];
    for (const { lane, position } of await log.ends()) after[lane] = position;
    const made = await this.withSecret(creation, id, (secret, webhooks) => {
      refuseTooMany(webhooks, body.account_id);
      const { events: types, account_id } = body;
      const of = { webhook_id: id, url, events: types, account_id, secret, profile, after };
      const data: WithoutOrigin<WebhookCreated> = of;
      return { type: WEBHOOK_CREATED, data };
    });
    await this.endIfClosed(body.account_id, change);
    return made;
  }

  /** Replaces the secret; the one before signs too for 24 hours. */
  async rotate(webhookId: string, change: Change): Promise<ChangeResult<WebhookWithSecret>> {
    const rotation = await this.changeOf(webhookId, change);
    return this.withSecret(rotation, webhookId, (secret, webhooks) => {
      activeWebhook(webhooks, webhookId);
      const data: WithoutOrigin<WebhookSecretRotated> = { webhook_id: webhookId, secret };
      return { type: WEBHOOK_SECRET_ROTATED, data };
    });
  }

  /** Removes a webhook at once; doing it again changes nothing. */
  async remove(webhookId: string, change: Change): Promise<ChangeResult<null>> {
    const removal = await this.changeOf(webhookId, change);
    let ended: readonly SecretReference[] = [];
    const { replayed } = await removal.append(WEBHOOKS, (webhooks) => {
      if (webhooks.accountOf(webhookId) === undefined) throw noSuchWebhook();
      const webhook = webhooks.get(webhookId);
      if (webhook === undefined) return null;
      ended = webhook.secrets;
      const data: WithoutOrigin<WebhookRemoved> = { webhook_id: webhookId };
      return { type: WEBHOOK_REMOVED, data };
    });
    await this.parts.secrets.forget(...ended);
    return { view: null, replayed };
  }

  /** Removes every webhook of a closed account; doing it again changes nothing. */
  async endAll(accountId: string, change: Change): Promise<void> {
    const { secrets, system, texts } = this.parts;
    const encrypted = await withEncryptedReason(texts, accountId, change);
    for (;;) {
      let ended: readonly SecretReference[] = [];
      const removal = system.of(WEBHOOK_SCOPE, { ...encrypted, idempotencyKey: null });
      const { event } = await removal.append(WEBHOOKS, (webhooks) => {
        const [left] = webhooks.of(accountId).values();
        if (left === undefined) return null;
        ended = left.secrets;
        const data: WithoutOrigin<WebhookRemoved> = { webhook_id: left.id };
        return { type: WEBHOOK_REMOVED, data };
      });
      await secrets.forget(...ended);
      if (event === null) return;
    }
  }

  /** A change of a webhook, its reason encrypted with the key of the webhook's account. */
  private async changeOf(webhookId: string, change: Change): Promise<SystemChange> {
    const { system, reads, texts } = this.parts;
    const accountId = (await reads.all()).accountOf(webhookId) ?? null;
    return system.of(WEBHOOK_SCOPE, await withEncryptedReason(texts, accountId, change));
  }

  /** Whoever closed the account while its webhook was made may not have seen it. */
  private async endIfClosed(accountId: string | null, change: Change): Promise<void> {
    if (accountId === null || (await this.closedAt(accountId)) === null) return;
    await this.endAll(accountId, change);
    throw accountClosed();
  }

  /** Drops a secret that no event names, because the change was refused or made before. */
  private async withSecret(
    change: SystemChange,
    webhookId: string,
    decide: (
      secret: SecretReference,
      webhooks: Webhooks,
    ) => { readonly type: string; readonly data: object },
  ): Promise<ChangeResult<WebhookWithSecret>> {
    const { secrets } = this.parts;
    const secret = newWebhookSecret();
    const row = await secrets.save(secret);
    let before: Webhook | undefined;
    const { event, value, replayed } = await change
      .append(WEBHOOKS, (webhooks) => {
        before = webhooks.get(webhookId);
        return decide(row, webhooks);
      })
      .catch(async (error: unknown) => {
        if (isRefusal(error)) await secrets.forget(row);
        throw error;
      });
    if (replayed) {
      await secrets.forget(row);
      return { view: await this.show(await this.asOf(event, webhookId)), replayed };
    }
    const webhook = activeWebhook(value, webhookId);
    await secrets.forget(...ended(before, webhook));
    return { view: { ...(await this.show(webhook)), secret }, replayed };
  }

  /** A webhook as the change left it that made this event, whatever became of it since. */
  private async asOf(event: StoredEvent | null, webhookId: string): Promise<Webhook> {
    const made = event === null || event.callId === webhookId ? [] : [event];
    const creation = await this.parts.log.findCalls([{ lane: SYSTEM_LANE, callId: webhookId }]);
    return activeWebhook(foldAll(WEBHOOKS, [...creation, ...made]), webhookId);
  }

  private async show(kept: Webhook): Promise<WebhookWithSecret> {
    const { pool, clock } = this.parts;
    const [webhook = kept] = await withUrls(pool, [kept]);
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

/** Secrets that sign no more since the latest change. */
function ended(before: Webhook | undefined, { secrets }: Webhook): readonly SecretReference[] {
  const kept = new Set(secrets.map(({ id }) => id));
  return before?.secrets.filter(({ id }) => !kept.has(id)) ?? [];
}

function refuseTooMany(webhooks: Webhooks, accountId: string | null): void {
  const most = accountId === null ? SYSTEM_WEBHOOKS_MAX : ACCOUNT_WEBHOOKS_MAX;
  if (webhooks.of(accountId).size < most) return;
  const whose = accountId === null ? 'There are' : 'The account has';
  throw new ProblemException(
    problem('conflict', `${whose} ${most} webhooks already: remove one first.`),
  );
}
