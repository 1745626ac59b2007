import { z } from 'zod';
import { textField } from '#web/body-fields.js';

const credits = z.int();

/** The body of giving a call back. */
export const GiveCallBack = z
  .strictObject({
    reason: textField(500).meta({ description: 'Why; a credit note prints it.' }),
  })
  .meta({ id: 'GiveCallBack', examples: [{ reason: 'Wrong series, see ticket 4711.' }] });

/** A call that was given back. */
export const CallGivenBack = z
  .strictObject({
    call_id: z.uuid(),
    credits: credits.meta({ description: 'What the call was charged: all of it is given back.' }),
    instrument: z.enum(['adjustment', 'credit_note', 'both']).meta({ id: 'GiveBackInstrument' }),
    adjustment_id: z.uuid().nullable(),
    adjusted_credits: credits.meta({ description: 'Given back as credits.' }),
    credit_note_id: z.uuid().nullable(),
    credit_note_number: z
      .string()
      .nullable()
      .meta({ description: 'Null while numbers wait: it is recorded and gets one.' }),
    credited_credits: credits.meta({ description: 'Taken back from what was billed.' }),
    at: z.iso.datetime().meta({ description: 'When it was given back, for its account.' }),
  })
  .meta({
    id: 'CallGivenBack',
    examples: [
      {
        call_id: '0197c000-0000-7000-8000-000000000001',
        credits: 50_000,
        instrument: 'both',
        adjustment_id: '9a8b7c6d-5e4f-8a3b-8c2d-1e0f9a8b7c11',
        adjusted_credits: 1_000,
        credit_note_id: '9a8b7c6d-5e4f-8a3b-8c2d-1e0f9a8b7c12',
        credit_note_number: 'CN-000001',
        credited_credits: 49_000,
        at: '2026-12-02T09:00:00.000Z',
      },
    ],
  });
