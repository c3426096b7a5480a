import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of backups. */
export const backupsError = catalogue({
  CLEW_BACKUP_NO_TARGET: {
    status: 400,
    message: 'There is no place for backups.',
    hint: 'Name a folder or s3_bucket of [backup] in clew.toml, CLEW_BACKUP_FOLDER, or --target.',
  },
  CLEW_BACKUP_TARGET: {
    status: 500,
    message: 'The place for backups cannot be used.',
    hint: 'Make room, or correct its address and rights. What was written of the failed backup is used by the next one.',
  },
  CLEW_BACKUP_EXTERNAL: {
    status: 400,
    message: 'PostgreSQL is a server of its own: Clew reads no files of it.',
    hint: 'Back it up with pg_basebackup or by its provider, and copy keys.json, the spool and the objects’ files beside it.',
  },
  CLEW_BACKUP_BUSY: {
    status: 409,
    message: 'Another backup, check or clean-up is under way.',
    hint: 'Wait until it ends: one at a time works on the backups of an instance.',
  },
  CLEW_BACKUP_NOT_FOUND: {
    status: 404,
    message: 'There is no such backup.',
    hint: '`clew backup list` has those that there are.',
  },
  CLEW_BACKUP_NO_LOG: {
    status: 400,
    message: 'The log that leads to that moment is not kept.',
    hint: 'Name a moment between those that `clew backup list` tells, or `--at latest`; without --at the backup itself is restored.',
  },
  CLEW_BACKUP_DAMAGED: {
    status: 500,
    message: 'The backup is damaged.',
    hint: 'Use another one: `clew backup list`. Check the disk that it is on.',
  },
  CLEW_BACKUP_NEWER: {
    status: 400,
    message: 'The backup was made by a newer version.',
    hint: 'Restore it with that version or a later one.',
  },
  CLEW_BACKUP_OTHER_MACHINE: {
    status: 400,
    message: 'The backup holds files of another kind of machine.',
    hint: 'Restore it on such a machine, and carry the rows over with `clew export` and `clew import`.',
  },
  CLEW_BACKUP_NOT_EMPTY: {
    status: 400,
    message: 'The folder to restore into is not empty.',
    hint: 'Name a new one with --to; nothing was written.',
  },
  CLEW_BACKUP_PASSPHRASE: {
    status: 400,
    message: 'The keys of the backup are sealed, and the passphrase is missing or wrong.',
    hint: 'Give the passphrase that the backup was made with by CLEW_BACKUP_PASSPHRASE, or restore without keys by --without-keys.',
  },
})
