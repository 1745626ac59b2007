import { API_KEYS } from './api-keys/api-key.operations.js';
import { BUDGETS } from './budgets/budget.operations.js';
import { CREDITS } from './credits/credit.operations.js';
import type { Resource } from './operation/operation.js';

/** Every noun of the interfaces of operators, customers and holders of API keys. */
export const RESOURCES: readonly Resource[] = [API_KEYS, CREDITS, BUDGETS];
