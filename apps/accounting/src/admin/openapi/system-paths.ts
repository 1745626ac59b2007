import type { PathItem } from '#web/openapi-document.js';
import { readOperation, type Route } from './operation.js';
import { PAGE } from '#ledger/read-parameters.js';

const RELEASES: Route = {
  id: 'listReleases',
  tag: 'System',
  summary: 'Releases of the data, oldest first',
  query: PAGE,
  answer: { status: 200, schema: 'ReleaseList' },
};

const PROJECTIONS: Route = {
  id: 'listProjections',
  tag: 'System',
  summary: 'How far the tables made from the log have come',
  answer: { status: 200, schema: 'ProjectionList' },
};

/** Paths of the service itself. */
export function systemPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/admin/v1/releases': { get: readOperation(RELEASES, baseUrl) },
    '/admin/v1/projections': { get: readOperation(PROJECTIONS, baseUrl) },
  };
}
