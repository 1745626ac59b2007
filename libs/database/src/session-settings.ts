import type pg from 'pg';

/**
 * Settings of every session, whatever the server, the database or the user has set: values read the
 * same everywhere, and nothing ends for taking long that this program has not limited itself.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  datestyle: 'ISO,YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read\\ committed',
  default_transaction_deferrable: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};
/** Unless the URL names another one: tables are in one place for all users. */
const SCHEMA = '-c search_path=public';
const STRICT = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');
const PARAMETER = 'options';

/** The connection string with the settings of a session; of `options` it names the others stay. */
export function withSessionSettings(url: string): string {
  const start = url.indexOf('?');
  const [address, query] = start < 0 ? [url, ''] : [url.slice(0, start), url.slice(start + 1)];
  const parameters = query.split('&').filter((each) => each !== '');
  const isOptions = (each: string): boolean => each.startsWith(`${PARAMETER}=`);
  const given = parameters.findLast(isOptions)?.slice(PARAMETER.length + 1) ?? '';
  const own = decodeURIComponent(given.replaceAll('+', ' '));
  if (own.endsWith(STRICT)) return url;
  const options = [SCHEMA, own, STRICT].filter((each) => each !== '').join(' ');
  const others = parameters.filter((each) => !isOptions(each));
  return `${address}?${[...others, `${PARAMETER}=${encodeURIComponent(options)}`].join('&')}`;
}

/** Takes away the limit of transactions, which older servers do not know. */
export async function settleSession(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config('transaction_timeout', '0', false)
      where current_setting('transaction_timeout', true) <> '0'`,
  );
}
