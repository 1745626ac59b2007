import type { Type } from '@nestjs/common';
import { AccountsController } from './accounts.controller.js';
import { ChangeAccountHandler } from './change-account.handler.js';
import { EraseAccountHandler } from './erase-account.handler.js';
import { ExplainCallHandler } from './explain-call.handler.js';
import { GetAccountHandler } from './get-account.handler.js';
import { ListAccountsHandler } from './list-accounts.handler.js';
import { ListCallsHandler } from './list-calls.handler.js';
import { ListEventsHandler } from './list-events.handler.js';
import { ListGrantCallsHandler } from './list-grant-calls.handler.js';
import { ListUsageHandler } from './list-usage.handler.js';
import { ListWindowsHandler } from './list-windows.handler.js';
import { MoveTestClockHandler } from './move-test-clock.handler.js';
import { OpenAccountHandler } from './open-account.handler.js';
import { SetStatusHandler } from './set-status.handler.js';
import { UsageController } from './usage.controller.js';

/** The routes about accounts. */
export const ACCOUNT_CONTROLLERS: Type[] = [AccountsController, UsageController];

/** One handler for each command and query of these routes. */
export const ACCOUNT_HANDLERS: Type[] = [
  ChangeAccountHandler,
  EraseAccountHandler,
  ExplainCallHandler,
  GetAccountHandler,
  ListAccountsHandler,
  ListCallsHandler,
  ListEventsHandler,
  ListGrantCallsHandler,
  ListUsageHandler,
  ListWindowsHandler,
  MoveTestClockHandler,
  OpenAccountHandler,
  SetStatusHandler,
];
