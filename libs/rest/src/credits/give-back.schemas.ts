import { z } from 'zod';
import { textField } from '#web/body-fields.js';

const credits = z.int();

/** The body of giving a call back. */
export const GiveCallBack = z
  .strictObject({
    reason: textField(500).meta({ description: 'Why; a credit note prints it.' }),
  })
  .meta({ id: 'GiveCallBack' });

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
  .meta({ id: 'CallGivenBack' });
