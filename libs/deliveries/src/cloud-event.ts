import { formatMoment } from '#calendar/instant.js';

/** Content type of a structured CloudEvent in JSON. */
export const CLOUD_EVENT_TYPE = 'application/cloudevents+json; charset=utf-8';

export interface CloudEventParts {
  /** Id of the delivery, which is `webhook-id` too. */
  readonly id: string;
  /** Public address of the service. */
  readonly source: string;
  readonly type: string;
  /** Of an account's event its id; null for what concerns the system. */
  readonly accountId: string | null;
  /** The account's moment, ms since 1970. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A structured CloudEvent 1.0 as JSON text: the same parts give the same bytes. */
export function cloudEvent({ id, source, type, accountId, at, data }: CloudEventParts): string {
  return JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type,
    ...(accountId !== null && { subject: accountId }),
    time: formatMoment(at),
    datacontenttype: 'application/json',
    data: { ...(accountId !== null && { account_id: accountId }), ...data },
  });
}
