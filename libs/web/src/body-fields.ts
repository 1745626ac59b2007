import { z } from 'zod';
import { PRICE_MAX } from '#account/limits.js';
import { parseDate } from '#calendar/civil-date.js';
import { parseInstant } from '#calendar/instant.js';
import { holdsInvisible, isVisible } from '#rating/visible-text.js';
import { isUuid } from './uuid.js';

/** A price or fee, net in minor units: what an invoice adds up stays an exact number. */
export const priceField = z.int().min(0).max(PRICE_MAX);

/**
 * A text of at most `length` characters that shows something; blanks at its ends are cut off. A NUL
 * would make the event or row it stands in unreadable to the database, so control characters are
 * refused, all of them. Their ranges are named, because documents show the pattern, and few other
 * languages know `\p{Cc}`.
 */
export function textField(length: number): z.ZodString {
  return (
    z
      .string()
      // oxlint-disable-next-line no-control-regex
      .regex(/^[^\x00-\x1f\x7f-\x9f]*$/, 'This must not hold control characters')
      .trim()
      .max(length)
      .refine(isVisible, 'This must not be blank')
      .meta({ minLength: 1 })
  );
}

/** The same for an id or a reference: two that look the same are the same. */
export function codeField(length: number): z.ZodString {
  return textField(length).refine(
    (text) => !holdsInvisible(text),
    'This must not hold invisible characters',
  );
}

/** A month by its label. */
export const monthField = z
  .string('A month like 2026-11')
  .refine((label) => parseDate(`${label}-01`) !== undefined, 'A month like 2026-11');

/** RFC 3339 of the years 1990 to 2200; its value is in ms since 1970, without smaller parts. */
export const instantField = z
  .string()
  .meta({ format: 'date-time', description: 'Milliseconds are kept, smaller parts cut off.' })
  .transform((text, context) => {
    const instant = parseInstant(text);
    if (instant !== undefined) return instant;
    context.addIssue('A moment as in RFC 3339, 2026-11-24T00:00:00Z, of the years 1990 to 2200');
    return z.NEVER;
  });

/** A UUID; its value is in lower case. */
export const uuidField = z
  .string()
  .meta({ format: 'uuid' })
  .refine(isUuid, 'A UUID')
  .transform((text) => text.toLowerCase());
