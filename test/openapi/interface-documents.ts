import { adminDocument } from '#admin-backend/admin-document.js';
import { portalDocument } from '#portal-backend/portal-document.js';
import type { OpenApiDocument } from '#web/openapi-document.js';
import { sharedComponents } from '#web/shared-components.js';
import { apiDocument } from '../../apps/api/src/openapi/api-document.js';
import { interfaceText } from './interface-text.js';

const BASE_URL = 'https://data.example.com';

/** The texts of the three interfaces as they are now, by the name of the interface. */
export function interfaceTexts(): Readonly<Record<string, string>> {
  const documents = { admin: adminDocument, portal: portalDocument, api: apiDocument };
  return Object.fromEntries(
    Object.entries(documents).map(([name, documentOf]) => {
      const served = JSON.stringify(sharedComponents(documentOf(BASE_URL)));
      return [name, interfaceText(JSON.parse(served) as OpenApiDocument)];
    }),
  );
}
