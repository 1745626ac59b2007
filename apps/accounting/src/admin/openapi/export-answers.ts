import { statementAnswer } from '#ledger/statement-answer.js';

/** Answers of statements by the name that the document gives them. */
export const EXPORT_ANSWERS = {
  Statement: statementAnswer,
} as const;
