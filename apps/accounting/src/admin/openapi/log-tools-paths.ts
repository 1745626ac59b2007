import type { PathItem } from '#web/openapi-document.js';
import { changeOperation, readOperation, startOperation, type Route } from './operation.js';

const REASON = { schema: 'Reason', required: false, example: { reason: 'Asked for.' } } as const;

const REBUILD: Route = {
  id: 'rebuildProjection',
  tag: 'System',
  summary: 'Build the tables of a projection anew from the log',
  description:
    'Begins in the background, beside the tables that serve; `GET /admin/v1/projections` tells how ' +
    'far it is.',
  path: [
    {
      name: 'name',
      in: 'path',
      required: true,
      description: 'Name of the projection.',
      schema: { type: 'string' },
    },
  ],
  body: REASON,
  answer: { status: 202, schema: 'Rebuild' },
};

const VERIFY: Route = {
  id: 'startVerification',
  tag: 'System',
  summary: 'Prove that the log and all that is made from it belong together',
  description: 'Begins in the background; `GET /admin/v1/verify` tells how far it is.',
  body: REASON,
  answer: { status: 202, schema: 'Verification' },
};

const VERIFICATION: Route = {
  id: 'getVerification',
  tag: 'System',
  summary: 'The latest verification of this process, and what it found',
  answer: { status: 200, schema: 'Verification' },
};

const ACKNOWLEDGE: Route = {
  id: 'acknowledgeLostPositions',
  tag: 'System',
  summary: 'Acknowledge that the log has lost positions',
  description:
    'A database that came back older lacks events that were answered. `/readyz` warns of it until it ' +
    'is acknowledged, and after a loss in lane 0 no document is numbered before that, because ' +
    'customers may hold the numbers. Where nothing is to be acknowledged nothing happens.',
  body: {
    schema: 'AcknowledgeLoss',
    required: true,
    example: {
      reason: 'The standby lagged. INV-000117 was sent and is given to the same customer.',
    },
  },
  answer: { status: 200, schema: 'LossAcknowledgement' },
};

/** Paths of long works on the log. */
export function logToolsPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/admin/v1/projections/{name}/rebuild': { post: startOperation(REBUILD, baseUrl) },
    '/admin/v1/log/acknowledge': { post: changeOperation(ACKNOWLEDGE, baseUrl) },
    '/admin/v1/verify': {
      post: startOperation(VERIFY, baseUrl),
      get: readOperation(VERIFICATION, baseUrl, ['not-found']),
    },
  };
}
