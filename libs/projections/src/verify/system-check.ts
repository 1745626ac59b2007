import type pg from 'pg';
import type { ProfileReference } from '#account/terms.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { RELEASE_PUBLISHED, type ReleasePublished } from '#popularity/release-events.js';
import { SELLER_CHANGED, type SellerChanged } from '../events/number-events.js';
import type { NamedReferences } from './charge-check.js';
import type { LaneFindings } from './findings.js';
import { checkProfiles } from './lookups.js';
import { checkRelease, type NamedRelease } from './release-check.js';
import { checkSecrets, type NamedSecret } from './secret-check.js';

/** Members of the accounting's events of lane 0 that name rows of personal texts. */
interface WebhookData {
  readonly webhook_id: string;
  readonly account_id?: string | null;
  readonly secret?: NamedSecret['secret'];
}

/** Checks references of the system's lane: the seller, webhooks and their secrets, releases. */
export class SystemCheck {
  private readonly profiles: NamedReferences['profiles'] = [];
  /** Profiles of accounts: erasing one blanks them, which lane 0 does not record. */
  private readonly erasable: string[] = [];
  private readonly secrets = new Map<string, NamedSecret>();
  private readonly releases: NamedRelease[] = [];

  constructor(
    private readonly findings: LaneFindings,
    /** The key that encrypts the secrets of webhooks; null: not known here. */
    private readonly webhookSecret: string | null,
  ) {}

  add({ type, position, data }: StoredEvent): void {
    switch (type) {
      case SELLER_CHANGED:
      case 'AdminTokenIssued':
        this.names(position, (JSON.parse(data) as SellerChanged).profile);
        break;
      case 'WebhookCreated':
        this.webhook(position, JSON.parse(data) as WebhookData & Partial<SellerChanged>);
        break;
      case 'WebhookSecretRotated':
        this.secret(position, JSON.parse(data) as WebhookData);
        break;
      case 'WebhookRemoved':
        this.secrets.delete((JSON.parse(data) as WebhookData).webhook_id);
        break;
      case RELEASE_PUBLISHED:
        this.releases.push({ position, data: JSON.parse(data) as ReleasePublished });
        break;
    }
  }

  /** Looks all of it up, in the transaction under way. Answers what could not be looked at. */
  async end(client: pg.ClientBase): Promise<readonly string[]> {
    const { findings, profiles } = this;
    const erased = await blankOnes(client, this.erasable);
    await checkProfiles(client, { profiles, erased }, findings);
    await checkSecrets(client, [...this.secrets.values()], this.webhookSecret, findings);
    const notCovered: string[] = [];
    for (const release of this.releases) {
      const left = await checkRelease(client, release, findings);
      if (left !== null) notCovered.push(left);
    }
    return notCovered;
  }

  private webhook(position: number, data: WebhookData & Partial<SellerChanged>): void {
    this.secret(position, data);
    const { profile } = data;
    this.names(position, profile);
    if (profile && data.account_id) this.erasable.push(profile.id);
  }

  private secret(position: number, { webhook_id: webhookId, secret }: WebhookData): void {
    if (secret) this.secrets.set(webhookId, { position, webhookId, secret });
  }

  private names(position: number, reference: ProfileReference | null | undefined): void {
    if (reference) this.profiles.push({ position, reference });
  }
}

async function blankOnes(client: pg.ClientBase, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `select id from profile where id = any ($1::uuid[]) and body::text = '{}'`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
