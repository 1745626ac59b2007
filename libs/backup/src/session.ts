/**
 * Settings of every session that writes or loads a backup: values must read the same whatever the
 * server's or the user's own settings are, and nothing may be cut off for taking long.
 */
export const SESSION_SETTINGS = `
set client_encoding = 'UTF8';
set timezone = 'UTC';
set datestyle = 'ISO, YMD';
set intervalstyle = 'postgres';
set bytea_output = 'hex';
set extra_float_digits = 1;
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = 0`;
