/** The program in an evidence pack: it needs Node.js alone, and reads the folder it lies in. */
export const CHECK_SCRIPT = String.raw`import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.dirname(path.resolve(process.argv[1]));
const read = (name) => readFileSync(path.join(folder, name));
const json = (name) => JSON.parse(read(name));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const sum = (values) => values.reduce((all, value) => all + BigInt(value), 0n);

/** RFC 4180. */
function table(name) {
  const text = read(name).toString('utf8');
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  const [names, ...lines] = rows.filter((row) => row.length > 1);
  return lines.map((line) => Object.fromEntries(names.map((each, index) => [each, line[index]])));
}

function grouped(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Each returns what is wrong. */
const CHECKS = {
  'Every file is the one that was packed.': () =>
    json('manifest.json').files.flatMap((file) => {
      if (!existsSync(path.join(folder, file.path))) return [file.path + ' is not there.'];
      return sha256(read(file.path)) === file.sha256 ? [] : [file.path + ' was changed.'];
    }),
  'Debits equal credits in each entry of the journal.': () => {
    const entries = grouped(table('journal.csv'), (row) => row.entry + ' ' + row.currency);
    return [...entries].flatMap(([entry, rows]) => {
      const debit = sum(rows.map((row) => row.debit_minor || 0));
      const credit = sum(rows.map((row) => row.credit_minor || 0));
      return debit === credit ? [] : ['Entry ' + entry + ': ' + debit + ' is not ' + credit + '.'];
    });
  },
  'Opening and movements of each grant lead to its closing.': () =>
    table('credit-liability.csv').flatMap((row) =>
      ['credits', 'amount_minor'].flatMap((unit) => {
        const of = (part) => BigInt(row[part + '_' + unit]);
        const left = of('opening') + of('sold') - of('used') - of('expired') - of('voided');
        return left === of('closing') ? [] : [row.type + ' ' + row.grant_id + ': ' + unit];
      }),
    ),
  'Numbers have no gap in any series.': () =>
    [...grouped(table('numbers.csv'), (row) => row.series)].flatMap(([series, rows]) =>
      rows.flatMap((row, index) =>
        Number(row.ordinal) === index + 1 ? [] : [series + ': ' + row.number + ' is not number ' + (index + 1) + '.'],
      ),
    ),
  'Documents are those that were numbered, and their sums are right.': () => {
    const numbers = new Map(table('numbers.csv').map((row) => [row.number, row]));
    return json('documents.json').documents.flatMap(({ number, total, files }) => {
      const numbered = numbers.get(number);
      if (numbered === undefined) return [number + ' has no number in the log.'];
      const faults = [];
      if (Math.abs(Number(numbered.total)) !== Math.abs(total)) faults.push(number + ' has another total in the log.');
      for (const format of ['json', 'pdf']) {
        const file = files[format];
        // Of documents without parties, because their legal term is over, the hashes differ.
        if (file === null || file.sha256 !== numbered['sha256_' + format]) continue;
        if (sha256(read(file.path)) !== file.sha256) faults.push(file.path + ' was changed.');
      }
      if (files.json === null) return faults;
      const document = json(files.json.path);
      if (sum(document.lines.map((line) => line.amount)) !== BigInt(document.net)) faults.push(number + ': net');
      if (sum(document.tax_breakdown.map((row) => row.tax)) !== BigInt(document.tax)) faults.push(number + ': tax');
      if (document.net + document.tax !== total) faults.push(number + ': total');
      return faults;
    });
  },
  'No document of the month is missing.': () => {
    const packed = new Set(json('documents.json').documents.map(({ number }) => number));
    const numbered = table('numbers.csv').filter((row) => row.issue_date.startsWith(month) && !row.series.startsWith('TEST-'));
    const booked = table('journal.csv').filter((row) => /^(INV|CN)-\d+$/.test(row.document));
    const named = new Set([...numbered.map((row) => row.number), ...booked.map((row) => row.document)]);
    return [...named].filter((number) => !packed.has(number)).map((number) => number + ' is not in documents.json.');
  },
  'Deferred revenue (2400) moves as the credit liability does.': () => {
    const moved = grouped(table('journal.csv').filter((row) => row.ledger_account === '2400'), (row) => row.currency);
    const owed = grouped(table('credit-liability.csv').filter((row) => row.type === 'total'), (row) => row.currency);
    return [...new Set([...moved.keys(), ...owed.keys()])].flatMap((currency) => {
      const rows = moved.get(currency) ?? [];
      const booked = sum(rows.map((row) => row.credit_minor || 0)) - sum(rows.map((row) => row.debit_minor || 0));
      const totals = owed.get(currency) ?? [];
      const grown = sum(totals.map((row) => row.closing_amount_minor)) - sum(totals.map((row) => row.opening_amount_minor));
      return booked === grown ? [] : [currency + ': ' + booked + ' was booked, and ' + grown + ' is owed more.'];
    });
  },
  'The totals of the credit liability are the sums of its grants.': () => {
    const rows = grouped(table('credit-liability.csv'), (row) => row.currency);
    return [...rows].flatMap(([currency, all]) =>
      ['opening', 'closing'].flatMap((part) => {
        const of = (type) => sum(all.filter((row) => row.type === type).map((row) => row[part + '_amount_minor']));
        return of('grant') === of('total') ? [] : [currency + ': ' + part];
      }),
    );
  },
  'Closed books are those that the close stated.': () => {
    if (period.status !== 'closed') return [];
    return period.files
      .filter((file) => file.kept && sha256(read(file.path)) !== file.sha256)
      .map((file) => file.path + ' is not what the close stated.');
  },
  'Every document is booked with its total.': () => {
    const booked = grouped(table('journal.csv'), (row) => row.document);
    return json('documents.json').documents.flatMap(({ number, type, total }) => {
      const side = type === 'invoice' ? 'debit_minor' : 'credit_minor';
      const rows = booked.get(number) ?? [];
      const amounts = rows.map((row) => row[side]).filter((amount) => amount !== '');
      const isBooked = total === 0 || sum(amounts) === BigInt(Math.abs(total));
      return isBooked ? [] : [number + ': ' + total + ' is not what was booked.'];
    });
  },
  'The verification of the log found nothing.': () =>
    json('verification.json').intact === true ? [] : ['verification.json lists what it found.'],
};

const period = json('period.json');
const { month } = period;
console.log(
  period.status === 'closed'
    ? month + ' was closed at ' + period.at + ' by ' + period.by + ': ' + period.reason
    : month + ' is ' + period.status + ': its books may change.',
);

let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  let faults;
  try {
    faults = check();
  } catch (error) {
    faults = [String(error)];
  }
  failed += faults.length;
  console.log((faults.length === 0 ? 'ok      ' : 'FAILED  ') + name);
  for (const fault of faults) console.log('        ' + fault);
}
process.exitCode = failed === 0 ? 0 : 1;
`;
