import { AUDIT as AUDIT_ROWS } from '#projections/projections/audit.projection.js';
import { table } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_READ } from '../operation/permissions.js';
import { AuditReads } from './audit-reads.js';
import { AUDIT_COLUMNS, auditQuery } from './audit-query.js';
import { AuditEntry } from './audit.schemas.js';

const { read } = operationsOf<AuditReads>('Safety');

const list = read({
  id: 'listAudit',
  path: '/audit',
  summary: 'Who changed what, when and why, and who signed in',
  description:
    'Oldest first: every event that somebody asked for, and every event of the service itself; no calls. And ' +
    'sign-ins, failed ones and denied roles of 90 days: one entry for each minute, address and ' +
    'subject. As CSV without a limit it comes whole.',
  access: STAFF_READ,
  query: auditQuery,
  answer: table(AuditEntry, () => AUDIT_COLUMNS),
  waitsFor: () => AUDIT_ROWS,
  cli: {
    name: 'audit list',
    description: 'who changed what, when and why',
    example: '--account Acme --order desc --limit 20',
    flags: { by: '--by <token>' },
    columns: ['at', 'by_name', 'by', 'type', 'account_id', 'reason', 'request_id'],
  },
  run: async (audit, { query: { after = null, limit: _limit, ...filter } }) => ({
    view: await audit.list(filter, after),
  }),
});

/** Who changed what, and who signed in. */
export const AUDIT: Resource = { service: AuditReads, operations: [list] };
