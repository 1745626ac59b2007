import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemOf, requestIdOf } from '../rest/problem.js';
import { Icon } from './icon.js';
import css from './notice.module.css';

interface NoticeProps {
  readonly tone?: 'info' | 'good' | 'warn' | 'bad';
  readonly title?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** Something to know or to do. Bad news is read out at once. */
export function Notice({ tone = 'info', title, action, children }: NoticeProps) {
  return (
    <div className={css.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span className={css.icon}>
        <Icon name={tone === 'good' ? 'check' : tone === 'info' ? 'info' : 'warning'} size={18} />
      </span>
      <div className={css.text}>
        {title !== undefined && <p className={css.title}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {action !== undefined && <div className={css.action}>{action}</div>}
    </div>
  );
}

interface ProblemNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** An error of the service, in its own words; a fault of it with what finds it in the log. */
export function ProblemNotice({ error, onRetry }: ProblemNoticeProps) {
  const { title, detail, status } = problemOf(error);
  const reference = status >= 500 ? requestIdOf(error) : undefined;
  const retry = onRetry && (
    <Button size="compact-sm" variant="default" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Notice tone="bad" title={title} {...(retry && { action: retry })}>
      {detail}
      {reference !== undefined && <p>Reference: {reference}</p>}
    </Notice>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** A list that holds nothing, and what would fill it. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={css.empty}>
      <p className={css.emptyTitle}>{title}</p>
      {children !== undefined && <div className={css.emptyText}>{children}</div>}
    </div>
  );
}
