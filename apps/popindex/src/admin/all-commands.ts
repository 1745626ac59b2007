import type { AdminCommand, AdminNoun } from './admin-command.js';
import { ACCOUNT_COMMANDS, ADJUST_COMMAND } from './account-commands.js';
import { BUDGET_COMMANDS } from './budget-commands.js';
import { GRANT_COMMANDS } from './grant-commands.js';
import { CREDIT_NOTE_COMMANDS, INVOICE_COMMANDS } from './invoice-commands.js';
import { KEY_COMMANDS } from './key-commands.js';
import { LOG_COMMANDS } from './log-admin-commands.js';
import { PORTAL_COMMANDS } from './portal-commands.js';
import { RATE_CARD_COMMANDS } from './rate-card-commands.js';
import { AUDIT_COMMAND, STATEMENT_COMMAND, USAGE_COMMAND } from './report-commands.js';
import { TOKEN_COMMANDS } from './token-commands.js';
import { WEBHOOK_COMMANDS } from './webhook-commands.js';

/** Commands in groups of one thing. */
export const ADMIN_NOUNS: readonly AdminNoun[] = [
  ACCOUNT_COMMANDS,
  KEY_COMMANDS,
  PORTAL_COMMANDS,
  GRANT_COMMANDS,
  BUDGET_COMMANDS,
  RATE_CARD_COMMANDS,
  INVOICE_COMMANDS,
  CREDIT_NOTE_COMMANDS,
  WEBHOOK_COMMANDS,
  TOKEN_COMMANDS,
  LOG_COMMANDS,
];
/** Commands of their own. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ADJUST_COMMAND,
  USAGE_COMMAND,
  STATEMENT_COMMAND,
  AUDIT_COMMAND,
];
