import { interfaceDocument } from '#rest/interface-document.js';
import { PORTAL } from '#rest/operation/interfaces.js';
import { describeWebhooks } from '#rest/webhooks/notification-document.js';
import type { OpenApiDocument } from '#web/openapi-document.js';
import { VERSION } from '#web/version.js';

const DESCRIPTION = `What the pages of the customers' portal ask for: one account, that of the session.

A link signs in once; from then on a cookie comes with each request. Everything but reading needs the \
header \`X-Requested-With: portal\` and has to come from a page of the portal. A viewer may look; what \
changes something takes the role manager.

What is answered has the shapes of the public API and of the admin REST.`;

/** The OpenAPI document of the customers' portal. `baseUrl`: where the pages of problems are. */
export function portalDocument(baseUrl: string, serverUrl = '/'): OpenApiDocument {
  return interfaceDocument(PORTAL, baseUrl, {
    serverUrl,
    title: 'Popindex portal REST',
    version: VERSION,
    description: DESCRIPTION,
    tags: [
      { name: 'Session', description: 'Signing in and out.' },
      { name: 'Portal', description: 'Members of the account and who is signed in.' },
      { name: 'Accounts', description: 'The account itself.' },
      { name: 'Usage', description: 'Calls, and what they cost.' },
      { name: 'Budgets', description: 'Limits on spending, with alerts.' },
      { name: 'Orders', description: 'Packages of credits that customers order.' },
      { name: 'Disputes', description: 'Complaints about calls, and their answers.' },
      { name: 'API keys', description: 'Keys for the data API.' },
      {
        name: 'Invoices',
        description: 'Invoices, credit notes and the draft of the running month.',
      },
      { name: 'Statements', description: 'Statements of a month in credits.' },
      {
        name: 'Webhooks',
        description: 'URLs that receive notifications, with their deliveries.',
      },
      { name: 'Data', description: 'Items to choose from, and data that is paid for.' },
      { name: 'Events', description: 'Live events.' },
    ],
    securitySchemes: {
      portalSession: {
        type: 'apiKey',
        in: 'cookie',
        name: 'popindex-portal',
        description:
          'The cookie of the session; behind https its name begins with `__Host-`, under a path with `__Secure-`.',
      },
    },
    received: describeWebhooks(false),
  });
}
