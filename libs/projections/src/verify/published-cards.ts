import type pg from 'pg';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import type { RateCard } from '#rating/rate-card.js';
import { RATE_CARD_PUBLISHED, RATE_CARDS, type SystemEvent } from '#rating/rate-card-events.js';

/** All rate cards, by version, in the snapshot in which a lane's charges are looked at. */
export async function readPublishedCards(client: pg.ClientBase): Promise<RateCard[]> {
  const { rows } = await client.query<SystemEvent>(
    `select type, (extract(epoch from at) * 1000)::float8 as at, data::text as data
       from event where lane = $1 and type = $2 order by position`,
    [SYSTEM_LANE, RATE_CARD_PUBLISHED],
  );
  return rows.reduce(RATE_CARDS.evolve, RATE_CARDS.initial()).map(({ card }) => card);
}
