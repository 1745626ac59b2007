import { Call } from '#rest/usage/usage.schemas.js';
import { INVOICE_ANSWERS } from './invoice-answers.js';

// What answers look like. The suite of the routes holds every answer against these.

/** Schemas of answers by the name that the document gives them. */
export const ANSWERS = { Call, ...INVOICE_ANSWERS } as const;

export type AnswerName = keyof typeof ANSWERS;
