/** The page that explains an evidence pack to whoever opens it. */
export function evidenceReadme(month: string): string {
  return `# Evidence of ${month}

Unpack this archive and run, with Node.js 20 or newer and nothing else:

    node check.mjs

It checks offline what the files say of each other, prints a line for each check, and ends with 1 where one fails.
It says first whether the month is closed. The books of a month that is not may still change.

| file                        | holds                                                                        |
| --------------------------- | ---------------------------------------------------------------------------- |
| manifest.json               | the SHA-256 and length of every other file                                   |
| journal.csv                 | double entry of the month, by posting date; amounts in minor units too       |
| credit-liability.csv        | what was owed in purchased credits, for each grant, in credits and money     |
| invoices/, credit-notes/    | the documents that were issued in the month, byte for byte                   |
| documents.json              | the list of these documents                                                  |
| invoices.csv, .jsonl        | the month's export: documents line by line, payments with their references   |
| period.json                 | whether the month is closed, by whom and why, and the hashes that this stated |
| numbers.csv                 | every number that was ever given, with its place in the log and its hashes   |
| changes.csv                 | every change of the month with its time, author and reason                   |
| verification.json           | the report of a verification of the whole log, made for this pack            |
| lane-heads.csv              | each lane of the log: its last position, and the hash that chains all of it  |
| account-heads.csv           | the same of each account: its version, and the hash over all of its events   |

\`kept\` in period.json: the file is the bytes that the close has kept, and has the hash that it stated. The documents
themselves are compared with the log, not with the archive (\`zip\`) that the close stated.

Heads are worth what is kept of them: note those of this pack where nobody who runs the service can change them. A later
pack, or \`popindex verify\` on a restored backup, has to lead to the same hashes at the same positions. Test accounts
are in no file but numbers.csv and account-heads.csv.
`;
}
