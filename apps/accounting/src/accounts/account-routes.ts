import type { Type } from '@nestjs/common';
import { AccountsController } from './accounts.controller.js';
import { AdjustCreditsHandler } from './adjust-credits.handler.js';
import { ChangeAccountHandler } from './change-account.handler.js';
import { EraseAccountHandler } from './erase-account.handler.js';
import { ExplainCallHandler } from './explain-call.handler.js';
import { GetAccountHandler } from './get-account.handler.js';
import { GrantCreditsHandler } from './grant-credits.handler.js';
import { GrantsController } from './grants.controller.js';
import { ListAccountsHandler } from './list-accounts.handler.js';
import { ListCallsHandler } from './list-calls.handler.js';
import { ListEventsHandler } from './list-events.handler.js';
import { ListGrantCallsHandler } from './list-grant-calls.handler.js';
import { ListGrantsHandler } from './list-grants.handler.js';
import { ListUsageHandler } from './list-usage.handler.js';
import { ListWindowsHandler } from './list-windows.handler.js';
import { MoveTestClockHandler } from './move-test-clock.handler.js';
import { OpenAccountHandler } from './open-account.handler.js';
import { SetStatusHandler } from './set-status.handler.js';
import { UsageController } from './usage.controller.js';
import { VoidGrantHandler } from './void-grant.handler.js';

/** The routes about accounts. */
export const ACCOUNT_CONTROLLERS: Type[] = [AccountsController, GrantsController, UsageController];

/** One handler for each command and query of these routes. */
export const ACCOUNT_HANDLERS: Type[] = [
  AdjustCreditsHandler,
  ChangeAccountHandler,
  EraseAccountHandler,
  ExplainCallHandler,
  GetAccountHandler,
  GrantCreditsHandler,
  ListAccountsHandler,
  ListCallsHandler,
  ListEventsHandler,
  ListGrantCallsHandler,
  ListGrantsHandler,
  ListUsageHandler,
  ListWindowsHandler,
  MoveTestClockHandler,
  OpenAccountHandler,
  SetStatusHandler,
  VoidGrantHandler,
];
