import { interfaceDocument } from '#rest/interface-document.js';
import { ADMIN } from '#rest/operation/interfaces.js';
import { describeWebhooks } from '#rest/webhooks/notification-document.js';
import type { OpenApiDocument } from '#web/openapi-document.js';
import { VERSION } from '#web/version.js';

const DESCRIPTION = `What operators do: open accounts, issue API keys, give credits, look at calls.

Every request carries \`Authorization: Bearer <admin token>\`. Credits are integers, money integer \
minor units of the account's currency. Times are RFC 3339 in UTC, to the millisecond: of what is sent, smaller \
parts of a second are cut off.

A change is answered once it is durable, and every read that begins after that answer sees it. It is \
an event that says who, when and why. Under an \`Idempotency-Key\` it happens once.

Each token has a role: \`owner\` may do everything, \`billing\` all but admin tokens and releases, \
\`support\` may read, \`data\` keeps releases. What the role does not allow is 403.`;

/** The OpenAPI document of the admin REST. `baseUrl`: where the pages of problems are. */
export function adminDocument(baseUrl: string, serverUrl = '/'): OpenApiDocument {
  return interfaceDocument(ADMIN, baseUrl, {
    serverUrl,
    title: 'Popindex admin REST',
    version: VERSION,
    description: DESCRIPTION,
    tags: [
      { name: 'Accounts', description: 'Customers, their limits and their clocks.' },
      { name: 'API keys', description: 'Keys of accounts for the data API.' },
      { name: 'Credits', description: 'Grants and corrections.' },
      { name: 'Budgets', description: 'Limits on spending, with alerts.' },
      { name: 'Orders', description: 'Packages of credits that customers order.' },
      { name: 'Disputes', description: 'Complaints about calls, and their answers.' },
      { name: 'Usage', description: 'Calls of accounts, and what they cost.' },
      { name: 'Rate cards', description: 'What calls cost, from which week on.' },
      { name: 'Invoices', description: 'Invoices, credit notes and payments.' },
      { name: 'Statements', description: 'Statements of a month in credits.' },
      { name: 'Exports', description: 'Files for finance at the end of a month.' },
      {
        name: 'Webhooks',
        description: 'URLs that receive notifications, with their deliveries.',
      },
      { name: 'Data', description: 'Names that calls of an account can ask for.' },
      { name: 'Portal', description: 'Links and members: who opens the portal of a customer.' },
      { name: 'Session', description: 'How to sign in to the console.' },
      { name: 'System', description: 'The service itself.' },
      { name: 'Safety', description: 'Admin tokens, roles, and the audit of changes.' },
    ],
    securitySchemes: {
      adminToken: { type: 'http', scheme: 'bearer', description: 'The admin token.' },
    },
    received: describeWebhooks(true),
  });
}
