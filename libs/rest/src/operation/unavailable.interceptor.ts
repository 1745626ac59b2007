import { Injectable, type CallHandler, type NestInterceptor } from '@nestjs/common';
import { catchError, throwError, type Observable } from 'rxjs';
import { AccountingUnavailableError } from '#account/charging.js';
import { isTransient } from '#database/errors.js';
import { LogUnavailableError } from '#event-log/event-log.js';

/** An outage of the database is answered as one: try again later, nothing is broken. */
@Injectable()
export class UnavailableInterceptor implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => asOutage(error))));
  }
}

function asOutage(error: unknown): unknown {
  const away = error instanceof LogUnavailableError || isTransient(error);
  return away ? new AccountingUnavailableError('The database does not answer.') : error;
}
