import type { MigrationInterface } from 'typeorm';
import { EventLog } from './0001-event-log.js';
import { Ledger } from './0002-ledger.js';
import { Popularity } from './0003-popularity.js';
import { Deliveries } from './0004-deliveries.js';
import { Usage } from './0005-usage.js';
import { Audit } from './0006-audit.js';
import { Invoices } from './0007-invoices.js';
import { Portal } from './0008-portal.js';
import { Erasure } from './0015-erasure.js';
import { DamagedAccounts } from './0017-damaged-accounts.js';
import { SignIns } from './0018-sign-ins.js';
import { SessionUses } from './0019-session-uses.js';
import { AppendLanes } from './0020-append-lanes.js';
import { DueDocuments } from './0021-due-documents.js';
import { Milestones } from './0022-milestones.js';
import { RareRows } from './0023-rare-rows.js';
import { RefusedCalls } from './0024-refused-calls.js';
import { People } from './0025-people.js';
import { ExternalIds } from './0026-external-ids.js';
import { WriteOffs } from './0027-write-offs.js';
import { HeldInvoices } from './0028-held-invoices.js';
import { Search } from './0029-search.js';
import { AppendToGroup } from './0030-append-to-group.js';
import { Disputes } from './0031-disputes.js';
import { SignInLinks } from './0032-sign-in-links.js';
import { Mails } from './0033-mails.js';
import { Reminders } from './0034-reminders.js';
import { Receipts } from './0035-receipts.js';
import { Reconciliations } from './0036-reconciliations.js';
import { AppendInPlace } from './0037-append-in-place.js';
import { CallsTrees } from './0038-calls-trees.js';
import { UsageByDay } from './0039-usage-by-day.js';
import { KeptVerifications } from './0040-verifications.js';
import { KeysByLane } from './0042-keys-by-lane.js';
import { WindowParts } from './0041-window-parts.js';
import { AppendToShard } from './0043-append-to-shard.js';
import { FoldedNames } from './0044-folded-names.js';
import { NoCallsTrees } from './0045-no-calls-trees.js';
import { Invitations } from './0046-invitations.js';

/**
 * Every migration, oldest first. Each has a `name` that ends in its number with thirteen digits,
 * which is the order they run in; a name that was released is for ever. From the first release on,
 * migrations only add, so that the version before keeps running beside.
 */
export const ALL_MIGRATIONS: readonly (new () => MigrationInterface & { readonly name: string })[] =
  [
    EventLog,
    Ledger,
    Popularity,
    Deliveries,
    Usage,
    Audit,
    Invoices,
    Portal,
    Erasure,
    DamagedAccounts,
    SignIns,
    SessionUses,
    AppendLanes,
    DueDocuments,
    Milestones,
    RareRows,
    RefusedCalls,
    People,
    ExternalIds,
    WriteOffs,
    HeldInvoices,
    Search,
    AppendToGroup,
    Disputes,
    SignInLinks,
    Mails,
    Reminders,
    Receipts,
    Reconciliations,
    AppendInPlace,
    CallsTrees,
    UsageByDay,
    KeptVerifications,
    WindowParts,
    KeysByLane,
    AppendToShard,
    FoldedNames,
    NoCallsTrees,
    Invitations,
  ];
