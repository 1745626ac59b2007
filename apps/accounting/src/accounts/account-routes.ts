import type { Type } from '@nestjs/common';
import { ExplainCallHandler } from './explain-call.handler.js';
import { ListCallsHandler } from './list-calls.handler.js';
import { ListEventsHandler } from './list-events.handler.js';
import { ListGrantCallsHandler } from './list-grant-calls.handler.js';
import { ListUsageHandler } from './list-usage.handler.js';
import { ListWindowsHandler } from './list-windows.handler.js';
import { UsageController } from './usage.controller.js';

/** The routes about accounts. */
export const ACCOUNT_CONTROLLERS: Type[] = [UsageController];

/** One handler for each command and query of these routes. */
export const ACCOUNT_HANDLERS: Type[] = [
  ExplainCallHandler,
  ListCallsHandler,
  ListEventsHandler,
  ListGrantCallsHandler,
  ListUsageHandler,
  ListWindowsHandler,
];
