import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

/** A change, or sign-ins of a minute. */
export const AuditEntry = z
  .strictObject({
    at: z.iso.datetime().meta({
      description:
        'Real time at which it was written, of counted ones the first, whatever the clock of the ' +
        'account says.',
    }),
    account_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: "The account's own time of it; null: it is of no account." }),
    by: z
      .string()
      .nullable()
      .meta({
        description:
          'Id of an admin token, a session of the portal or an API key; `owner`: ADMIN_TOKEN, ' +
          '`system`: the service. Null: the service too, a command, or nobody known.',
      }),
    by_name: z.string().nullable(),
    type: z.string(),
    account_id: z.uuid().nullable().meta({
      description: 'The account that was changed; null: the change is about the service.',
    }),
    account_name: z.string().nullable().meta({
      description: 'Null where the change is about the service or the account was erased.',
    }),
    reason: z.string().nullable(),
    request_id: z.string().nullable(),
    lane: z
      .int()
      .nullable()
      .meta({ description: 'Null: no event of the log, but sign-ins counted by the minute.' }),
    position: z
      .int()
      .nullable()
      .meta({ description: 'Position of the event in its lane of the log.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'The data of the event. Of `SignedIn`, `SignInFailed` and `RoleDenied`: `door` (`admin`, ' +
        '`console` or `portal`), `address` (`others`: of many), `times` and, where a role was ' +
        'denied, the first `route`.',
    }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = Frozen<z.output<typeof AuditEntry>>;
