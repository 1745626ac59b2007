import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Calendar } from '#calendar/calendar.js';
import { pagedList, sendList } from '#web/table-answer.js';
import { readQuery } from '#rest/operation/request-parameters.js';
import { AUDIT_COLUMNS } from './audit-entry.js';
import { auditQuery } from './audit-query.js';
import { AuditReads } from './audit-reads.js';

/** A whole list is read this many entries at a time. */
const BATCH_ROWS = 1_000;

/** Who changed what, when and why. */
@Controller('admin/v1/audit')
export class AuditController {
  private readonly schema: ReturnType<typeof auditQuery>;

  constructor(
    @Inject(AuditReads) private readonly audit: AuditReads,
    @Inject(Calendar) calendar: Calendar,
  ) {
    this.schema = auditQuery(calendar);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit, ...filter } = readQuery(request, this.schema).query;
    const lag = await this.audit.lag();
    if (lag > 0) void reply.header('projection-lag', String(lag));
    const read = (place: string | null, rows: number) => this.audit.page(filter, place, rows);
    await sendList(request, reply, limit, AUDIT_COLUMNS, pagedList(after, BATCH_ROWS, read));
  }
}
