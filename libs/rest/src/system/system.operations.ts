import { ok, page, started } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { SystemService } from './system-service.js';
import {
  AcknowledgeLoss,
  LossAcknowledgement,
  Projection,
  Rebuild,
  Release,
  Verification,
} from './system.schemas.js';

const { read, change } = operationsOf<SystemService>('System');

const releases = read({
  id: 'listReleases',
  path: '/releases',
  summary: 'Releases of the data, oldest first',
  description:
    'A release serves from its `window` on, until the window of the next. `through` is the ' +
    'newest month of its figures.',
  access: { roles: ['support', 'data'] },
  query: PAGE,
  answer: page(Release),
  run: async (system, { query }) => ({ view: await system.releases(query) }),
});

const withdraw = change({
  id: 'withdrawRelease',
  method: 'post',
  path: '/releases/{release}/withdraw',
  summary: 'Takes a release back before its window begins',
  description:
    'Until 10 seconds before its window; afterwards 409, because the data of a window does not ' +
    'change. The release before it serves instead. An account with a test clock that has called it ' +
    'keeps it for that window.',
  access: { roles: ['data'] },
  body: Reason,
  isBodyOptional: true,
  answer: ok(Release),
  problems: ['not-found', 'conflict'],
  run: (system, { path, change: made }) => system.withdrawRelease(path.release, made),
});

const projections = read({
  id: 'listProjections',
  path: '/projections',
  summary: 'How far the tables made from the log have come',
  description:
    'State, lag and latest rebuild of each projection in this process, in the order in which they ' +
    'are fed. A projection with ' +
    'damaged accounts serves all others.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(Projection),
  run: async (system, { query }) => ({ view: await system.projections(query) }),
});

const rebuild = change({
  id: 'rebuildProjection',
  method: 'post',
  path: '/projections/{name}/rebuild',
  summary: 'Rebuilds the tables of a projection from the log',
  description:
    'Begins in the background, beside the tables that serve; `GET /admin/v1/projections` shows how ' +
    'far it is.',
  access: STAFF_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: started(Rebuild),
  location: () => '/projections',
  run: (system, { path, change: made }) => system.rebuild(path.name, made),
});

const verify = change({
  id: 'startVerification',
  method: 'post',
  path: '/verify',
  summary: 'Starts a verification of the log and of all that is derived from it',
  description: 'It runs in the background; `GET /admin/v1/verify` shows its progress.',
  access: STAFF_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: started(Verification),
  location: () => '/verify',
  run: (system, { change: made }) => system.verify(made),
});

const verification = read({
  id: 'getVerification',
  path: '/verify',
  summary: 'The latest verification, with its findings',
  description:
    'Shows progress while it runs in the process that is asked, and then each check with the number of ' +
    'differences and the first of them. That of another process or of the command line is shown once it has ' +
    'ended. 404 until there is one.',
  access: STAFF_READ,
  answer: ok(Verification),
  problems: ['not-found'],
  run: async (system) => ({ view: await system.verification() }),
});

const verifications = read({
  id: 'listVerifications',
  path: '/verifications',
  summary: 'Verifications of the log, oldest first',
  description:
    'The newest 20 that have ended, in any process and from the command line, and the one that runs in ' +
    'the process that is asked. Empty before the first.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(Verification),
  run: async (system, { query }) => ({ view: await system.verifications(query) }),
});

const acknowledge = change({
  id: 'acknowledgeLostPositions',
  method: 'post',
  path: '/log/acknowledge',
  summary: 'Acknowledges that the log has lost positions',
  description:
    'A database that came back older lacks events that were answered. `/readyz` warns of it until it ' +
    'is acknowledged, and after a loss in lane 0 no document is numbered before that, because ' +
    'customers may hold the numbers. Where nothing is to be acknowledged nothing happens.',
  access: { roles: [] },
  body: AcknowledgeLoss,
  answer: ok(LossAcknowledgement),
  cli: {
    name: 'log acknowledge',
    description: 'acknowledge that the log has lost positions, so that numbers are given again',
    example: '--reason "the standby lagged; INV-000117 is known"',
  },
  run: (system, { change: made }) => system.acknowledge(made),
});

/** The service itself. */
export const SYSTEM: Resource = {
  service: SystemService,
  operations: [
    releases,
    withdraw,
    projections,
    rebuild,
    verify,
    verification,
    verifications,
    acknowledge,
  ],
};
