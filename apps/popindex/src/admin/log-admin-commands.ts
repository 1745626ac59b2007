import { REASON, type AdminNoun } from './admin-command.js';

export const LOG_COMMANDS: AdminNoun = {
  name: 'log',
  description: 'the log itself',
  commands: [
    {
      name: 'acknowledge',
      description: 'acknowledge that the log has lost positions, so that numbers are given again',
      example: 'log acknowledge --reason "the standby lagged; INV-000117 is known"',
      method: 'POST',
      path: '/log/acknowledge',
      options: [{ ...REASON, isRequired: true }],
    },
  ],
};
