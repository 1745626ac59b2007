import { NOTIFICATION_TYPES } from '#projections/projections/notification-types.js';
import { WebhooksPage as Webhooks } from '../../account/webhooks.js';
import { portal } from '../../rest/portal.js';
import { useCanManage } from '../session.js';

/** Releases concern no account: only operators receive their notifications. */
const EVENTS = NOTIFICATION_TYPES.filter((type) => !type.startsWith('release.'));

/** Webhooks of the account. */
export function WebhooksPage() {
  const canManage = useCanManage();
  const hint = canManage ? 'Make one to receive notifications.' : 'A manager can make one.';
  return (
    <Webhooks
      of={portal}
      lead="Addresses that receive alerts and notifications of keys, invoices and closed windows, as signed CloudEvents."
      empty={['No webhooks yet', hint]}
      events={EVENTS}
      isChangeable={canManage}
    />
  );
}
