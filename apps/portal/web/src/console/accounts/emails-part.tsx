import { Deliveries } from '../../account/deliveries.js';
import type { Account } from '../../rest/answers.js';
import { Panel } from '../../ui/page.js';
import { useChangeRefusal } from '../console-session.js';
import { emailsQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';

/** E-mails about the account, each with its attempts. */
export function EmailsPart({ account: { id } }: { readonly account: Account }) {
  const change = useAdminChange();
  return (
    <Panel title="E-mails" aside="invoices, reminders, alerts and links, newest first">
      <Deliveries
        queryOf={(status) => emailsQuery(id, status)}
        onResend={(deliveryId) => change('POST', `/webhooks/deliveries/${deliveryId}/resend`)}
        refusal={useChangeRefusal()}
      />
    </Panel>
  );
}
