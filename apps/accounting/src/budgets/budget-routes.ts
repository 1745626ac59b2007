import type { Type } from '@nestjs/common';
import { BudgetsController } from './budgets.controller.js';
import { GetBudgetHandler } from './get-budget.handler.js';
import { ListBudgetsHandler } from './list-budgets.handler.js';
import { RemoveBudgetHandler } from './remove-budget.handler.js';
import { SetBudgetHandler } from './set-budget.handler.js';

/** The routes about budgets. */
export const BUDGET_CONTROLLERS: Type[] = [BudgetsController];

/** One handler for each command and query of these routes. */
export const BUDGET_HANDLERS: Type[] = [
  GetBudgetHandler,
  ListBudgetsHandler,
  RemoveBudgetHandler,
  SetBudgetHandler,
];
