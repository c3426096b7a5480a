import Type from 'typebox'
import { matching, nullable, setting, type Values } from '../../ground/settings/setting.ts'

const passphrase = matching({ allowed: 'a text of 12 characters or more', fits: (text) => text.length >= 12 })

/** The settings of backups. */
export const backupSettings = {
  folder: setting(nullable(Type.String()), {
    default: null,
    description: 'The folder that backups are written to, on another disk than the data directory; none by default.',
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
  mibPerSecond: setting(nullable(Type.Integer({ minimum: 1, maximum: 10_000 })), {
    limit: true,
    default: null,
    description: 'MiB that a backup reads in a second at most; as many as the disks give by default.',
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
