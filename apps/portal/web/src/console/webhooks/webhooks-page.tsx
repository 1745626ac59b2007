import { Link } from '@tanstack/react-router';
import { NOTIFICATION_TYPES } from '#projections/projections/notification-types.js';
import { WebhooksPage as Webhooks } from '../../account/webhooks.js';
import type { Field } from '../../form/fields.js';
import type { Webhook } from '../../rest/answers.js';
import type { Columns } from '../../ui/data-table.js';
import { admin } from '../admin.js';

const FIELD: Field = {
  name: 'account_id',
  label: 'Account (optional)',
  description: 'Empty: the events of all accounts, and of releases.',
};

const COLUMNS: Columns<Webhook> = [
  {
    label: 'Account',
    sort: (webhook) => webhook.account_id,
    cell: ({ account_id: id }) =>
      id === null ? (
        'all'
      ) : (
        <Link to={`/accounts/${id}` as string}>
          <code>{id.slice(0, 8)}…</code>
        </Link>
      ),
  },
];

/** Webhooks of all accounts. */
export function WebhooksPage() {
  return (
    <Webhooks
      of={admin}
      lead="Signed CloudEvents. A delivery that fails is retried for three days."
      empty={['No webhooks yet']}
      events={NOTIFICATION_TYPES}
      isChangeable
      account={{ field: FIELD, columns: COLUMNS }}
    />
  );
}
