import Type from 'typebox'
import { address, matching, nullable, setting, text, type Values } from '../../ground/settings/setting.ts'

const passphrase = matching({ allowed: 'a text of 12 characters or more', fits: (text) => text.length >= 12 })

/** The settings of backups. */
export const backupSettings = {
  folder: setting(nullable(Type.String()), {
    default: null,
    description: 'The folder that backups are written to, on another disk than the data directory; none by default.',
  }),
  s3Bucket: setting(nullable(text), {
    default: null,
    description: 'A bucket that backups are written to, in place of a folder; nothing else of this instance is in it.',
  }),
  s3Prefix: setting(Type.String(), {
    default: '',
    description: 'What the names of all objects in the bucket begin with; one of its own for each instance.',
  }),
  s3Endpoint: setting(nullable(address(['https', 'http'])), {
    default: null,
    description: 'The S3 server of the bucket; Amazon’s by default.',
  }),
  s3Region: setting(text, { default: 'us-east-1', description: 'The region of the bucket.' }),
  s3AccessKeyId: setting(nullable(text), {
    default: null,
    secret: true,
    description: 'The access key of the bucket; what the machine has (environment, role) where there is none.',
  }),
  s3SecretAccessKey: setting(nullable(text), {
    default: null,
    secret: true,
    description: 'The secret of the access key of the bucket.',
  }),
  s3ForcePathStyle: setting(Type.Boolean(), {
    default: true,
    description: 'Whether the bucket is named in the path rather than in the host name; Amazon wants the latter.',
  }),
  passphrase: setting(nullable(passphrase), {
    default: null,
    secret: true,
    description: 'Seals the keys and the settings in each backup; without one they are left out.',
  }),
  everyHours: setting(Type.Integer({ minimum: 1, maximum: 8760 }), {
    default: 24,
    description: 'Hours from one backup to the next, which the instance makes where there is a folder.',
  }),
  verify: setting(Type.Boolean(), {
    default: true,
    description: 'Whether each backup of the schedule is opened and read as soon as it is made.',
  }),
  wal: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether PostgreSQL’s write-ahead log is kept beside the backups as it is written, so that any moment between them can be restored.',
  }),
  walSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 10,
    description: 'Seconds after which what was committed is kept.',
  }),
  walDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 7,
    description:
      'Days, counted back from now, of which every moment can be restored, as far as a backup of before is kept.',
  }),
  mibPerSecond: setting(nullable(Type.Integer({ minimum: 1, maximum: 10_000 })), {
    limit: true,
    default: null,
    description:
      'MiB that a backup reads in a second at most, and the log writes; as many as the disks give by default.',
  }),
  keepDaily: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 7,
    description: 'Days, counted back from the newest backup, of each of which the last backup is kept.',
  }),
  keepWeekly: setting(Type.Integer({ minimum: 0, maximum: 520 }), {
    default: 4,
    description: 'Weeks, counted the same way, of each of which the last backup is kept.',
  }),
  keepMonthly: setting(Type.Integer({ minimum: 0, maximum: 600 }), {
    default: 12,
    description: 'Months, counted the same way, of each of which the last backup is kept.',
  }),
  compareMib: setting(Type.Integer({ minimum: 0, maximum: 1_048_576 }), {
    limit: true,
    default: 64,
    description:
      'MiB of a table up to which its rows are digested before and after a backup, so that a check can compare them.',
  }),
} as const

/** The values of `backupSettings`. */
export type BackupSettings = Values<typeof backupSettings>
