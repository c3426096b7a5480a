import { catalogue } from './ground/errors/catalogue.ts'

/** Every way a start is refused. These are printed, not answered, so their status is the process's exit code. */
export const instanceError = catalogue({
  CLEW_START_RUNNING: {
    status: 3,
    message: 'Another process already runs on this data directory.',
    hint: 'Stop it with `clew stop`, or give this one another directory with `--data`.',
  },
  CLEW_START_SETTING: {
    status: 2,
    message: 'A setting is wrong.',
    hint: 'Correct it where it was set: the flag, the environment or clew.toml.',
  },
  CLEW_SECRET_NEEDS_START: {
    status: 2,
    message: 'The secret cannot be another while the process runs.',
    hint: 'It counts from the next start on: `clew stop`, then start again.',
  },
  CLEW_SECRETS_REFUSED: {
    status: 2,
    message: 'The secrets that run now stay, as a setting is wrong.',
    hint: 'Correct what is named above; `clew config` shows where each setting comes from.',
  },
  CLEW_START_PORT: {
    status: 4,
    message: 'A port is already taken.',
    hint: 'Stop what listens there, or choose another port.',
  },
  CLEW_START_PROJECT: {
    status: 5,
    message: 'The project folder could not be applied.',
    hint: 'Correct the file named above and start again: the start goes on with it, and the files before it are applied.',
  },
  CLEW_START_EXTENSION: {
    status: 5,
    message: 'The project needs an extension that this PostgreSQL does not have.',
    hint: 'The file is right. Leave the extension out by [migrations] missing_extensions = "skip" in clew.toml, or name a PostgreSQL that has it with --database-url.',
  },
  CLEW_START_KEYS: {
    status: 7,
    message: 'The signing keys could not be used.',
    hint: 'Correct or restore the file named above; one of signing keys is a JSON array of JSON Web Keys, one with "sign" among its key_ops.',
  },
  CLEW_START_DIRECTORY: {
    status: 8,
    message: 'The data directory cannot be used.',
    hint: 'Make it writable for this user, or give another directory with `--data`.',
  },
  CLEW_START_DISK_FULL: {
    status: 8,
    message: 'The disk is full.',
    hint: 'Free at least 2 GiB, or put the data directory on another disk with `--data`.',
  },
  CLEW_START_CLICKHOUSE: {
    status: 9,
    message: 'ClickHouse did not start, or cannot be reached.',
    hint: 'Look at what it says above; `clew doctor` checks its binaries, disk and directory.',
  },
  CLEW_START_BUS: {
    status: 20,
    message: 'The NATS server that joins this process with others cannot be reached.',
    hint: 'Correct its address, [cluster] bus, or start the server; a process that runs waits for it instead.',
  },
  CLEW_START_WORKER: {
    status: 21,
    message: 'A worker ended as it started.',
    hint: 'Look at what it says above; with --workers 1 the same start runs in one process.',
  },
  CLEW_START_CERTIFICATE: {
    status: 12,
    message: 'The certificate of the application’s port could not be used.',
    hint: 'Name a certificate and its private key in PEM by tls_cert and tls_key, and let this user read both.',
  },
  CLEW_START_NEWER_DATA: {
    status: 23,
    message: 'The data were written by a newer version.',
    hint: 'Start that version or a later one; or go back to data of this version: `clew upgrade list` has the restore points, `clew upgrade rollback` puts one back.',
  },
  CLEW_START_UPGRADE: {
    status: 24,
    message: 'The upgrade of the data failed.',
    hint: '`clew upgrade rollback` goes back to the data of before, for the earlier version to start again. Or correct what is named and start this one again: the upgrade goes on.',
  },
  CLEW_START_ROLLBACK: {
    status: 24,
    message: 'A rollback of the data was interrupted, which are between two states.',
    hint: 'Run `clew upgrade rollback` again: it ends it.',
  },
  CLEW_UPGRADE_DISK: {
    status: 8,
    message: 'The disk has no room for a restore point.',
    hint: 'Free so much, or back the instance up with the version that wrote the data and start with CLEW_UPGRADE_KEEP=false.',
  },
  CLEW_UPGRADE_BINARIES: {
    status: 8,
    message: 'The PostgreSQL that the data are of is not there.',
    hint: 'Install it beside this version, and say where with CLEW_UPGRADE_POSTGRES_BINARIES: docs/guide/upgrade.md.',
  },
  CLEW_UPGRADE_CHANGES: {
    status: 8,
    message: 'Row changes that belong to histories are not stored yet.',
    hint: 'Start again once what is named is mended, or start the version before until `clew status` says that row changes are read.',
  },
  CLEW_UPGRADE_PLACE: {
    status: 8,
    message: 'A part of the data directory cannot be kept beside it.',
    hint: 'Move it into the data directory, or back the instance up with the version that wrote the data and start with CLEW_UPGRADE_KEEP=false.',
  },
  CLEW_UPGRADE_NO_POINT: {
    status: 2,
    message: 'There is no such restore point.',
    hint: '`clew upgrade list` has those that there are.',
  },
  CLEW_UPGRADE_NEEDED: {
    status: 2,
    message: 'The restore point is the way back of an upgrade that did not end.',
    hint: 'Start again until the upgrade has ended, or go back to it with `clew upgrade rollback`.',
  },
  CLEW_NOT_RUNNING: {
    status: 6,
    message: 'Nothing runs on this data directory.',
    hint: 'Start it with `clew start`, or name the directory with `--data`. One that runs is found by the TMPDIR that it was started with.',
  },
  CLEW_NO_DATABASE_PORT: {
    status: 6,
    message: 'The running instance’s database has no TCP port.',
    hint: 'Start with `--db-port`, or name the database with `--db-url`.',
  },
  CLEW_PROJECT_MISSING: {
    status: 2,
    message: 'There is no project folder here.',
    hint: 'Name it with --project, or write one with `clew init`.',
  },
  CLEW_MIGRATION_UNKNOWN: {
    status: 2,
    message: 'No migration has this version.',
    hint: '`clew migration list` lists those of the project folder and of the database.',
  },
  CLEW_MIGRATIONS_MISSING: {
    status: 5,
    message: 'The database has had migrations that the project folder does not have.',
    hint: 'Get them from version control. If they were taken back on purpose: `clew migration repair --status reverted <version> …`.',
  },
  CLEW_MIGRATIONS_LATE: {
    status: 5,
    message: 'Migrations of the project folder are older than the newest applied.',
    hint: 'Give them newer versions, or apply them nonetheless with --include-all.',
  },
  CLEW_MIGRATIONS_PENDING: {
    status: 5,
    message: 'The project folder has migrations that the database has not had.',
    hint: 'Apply them first with `clew db push`, so that what is pulled is what the database has beyond them.',
  },
  CLEW_EXTENSION_MISSING: {
    status: 14,
    message: 'This server does not have an extension that the command needs.',
    hint: 'Install or load it on the server, or name a database that has it with --db-url.',
  },
  CLEW_NOT_CONFIRMED: {
    status: 2,
    message: 'Not confirmed; nothing was changed.',
    hint: 'Answer y, or give --yes where no terminal can be asked.',
  },
  CLEW_STORAGE_PATH: {
    status: 2,
    message: 'This is no address in storage.',
    hint: 'Write it as ss:///bucket/key, or ss:///bucket/folder/.',
  },
  CLEW_STORAGE_FILE: {
    status: 2,
    message: 'A file cannot be read or written.',
    hint: 'Name another one; with -r what is there is replaced.',
  },
  CLEW_STORAGE_REFUSED: {
    status: 15,
    message: 'The storage service refused a call.',
    hint: 'The reason is its own; what was done before stays done.',
  },
  CLEW_IMPORT_RUNNING: {
    status: 3,
    message: 'Another import into this database is running.',
    hint: 'Wait until it ends, then start this one again: it does what is not done.',
  },
  CLEW_CONSOLE_REFUSED: {
    status: 16,
    message: 'The instance refused a call.',
    hint: 'The reason is its own; nothing was changed by the refused call.',
  },
  CLEW_CONSOLE_UNREACHABLE: {
    status: 19,
    message: 'The instance cannot be reached.',
    hint: 'Check the address and the network: it is the address of the console, not of the API.',
  },
  CLEW_SIGNED_OUT: {
    status: 17,
    message: 'There is no access token for this instance.',
    hint: 'Run `clew login <url>`, or set CLEW_ACCESS_TOKEN.',
  },
  CLEW_SECRET_FORM: {
    status: 2,
    message: 'A secret is given as NAME=value.',
    hint: 'Name several, or a file of them with --env-file.',
  },
  CLEW_FILE: {
    status: 2,
    message: 'A file could not be read or written.',
    hint: 'Check its path and whose it is.',
  },
  CLEW_IMPORT_FILE: {
    status: 13,
    message: 'The dump cannot be imported.',
    hint: 'Write it with pg_dump in the plain format (the default), in UTF-8.',
  },
  CLEW_EXPORT_FOLDER: {
    status: 11,
    message: 'The folder of the export is not empty.',
    hint: 'Name another one; nothing was written.',
  },
  CLEW_PROJECT_EXISTS: {
    status: 11,
    message: 'The folder is a project already.',
    hint: 'Start it with `clew start`, or name another folder; nothing was written.',
  },
  CLEW_FUNCTION_NAME: {
    status: 2,
    message: 'This is no name of a function.',
    hint: 'A name is a letter, then letters, digits, “_” and “-”, 64 at most.',
  },
  CLEW_FUNCTION_EXISTS: {
    status: 11,
    message: 'The function is there already.',
    hint: 'Choose another name; nothing was written.',
  },
  CLEW_NO_SOURCE_MAPS: {
    status: 18,
    message: 'The folder has no built file with a source map.',
    hint: 'Have the bundler write source maps, and name the folder that it writes to.',
  },
  CLEW_FUNCTION_MISSING: {
    status: 18,
    message: 'The project folder has no such function.',
    hint: 'A function is a folder of supabase/functions with an index.ts.',
  },
  CLEW_NO_SUCH_OPERATOR: {
    status: 10,
    message: 'No operator has this address.',
    hint: 'Name the account as it signs in to the console.',
  },
})
