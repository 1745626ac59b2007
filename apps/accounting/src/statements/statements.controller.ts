import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { readMonth, sendStatement } from '#ledger/statement-answer.js';
import type { StatementReads } from '#ledger/statement-reads.js';
import type { ParameterFault } from '#web/parameter-fault.js';
import { parseQuery } from '#web/query.js';
import { isUuid } from '#web/uuid.js';
import { noSuchAccount } from '#deciding/changes/known-account.js';

/** Token of the port that has no class of its own. */
export const STATEMENT_READS = Symbol('statement reads');

const MISSING = 'There is no such account, or it has no statement of that month.';

/** A month of an account in credits, as its holder reads it too. */
@Controller('admin/v1')
export class StatementsController {
  constructor(@Inject(STATEMENT_READS) private readonly reads: StatementReads) {}

  @Get('accounts/:account_id/statements/:month')
  async statement(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { accountId, month } = readRequest(request);
    const statement = await this.reads.statement(accountId, month);
    sendStatement(request, reply, statement, MISSING);
  }
}

/** Throws a ProblemException with all faults at once. */
function readRequest({ params, url }: FastifyRequest) {
  const faults: ParameterFault[] = [];
  const { account_id: sent = '', month: label = '' } = params as Readonly<Record<string, string>>;
  if (!isUuid(sent)) {
    faults.push({ in: 'path', name: 'account_id', value: sent, detail: 'This is no UUID.' });
  }
  const month = readMonth(label, faults);
  parseQuery(z.strictObject({}), url, faults);
  const accountId = sent.toLowerCase();
  if (accountId === SYSTEM_ACCOUNT) throw noSuchAccount();
  return { accountId, month };
}
