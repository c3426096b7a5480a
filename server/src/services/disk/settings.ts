import Type from 'typebox'
import { nullable, setting, type Values } from '../../ground/settings/setting.ts'

const most = 1_073_741_824

const budget = (of: string) =>
  setting(nullable(Type.Integer({ minimum: 1, maximum: most })), {
    limit: true,
    default: null,
    description: `MiB that ${of} may take: once a day the oldest are deleted until they do; as many as there are by default.`,
  })

const watched = (of: string) =>
  setting(nullable(Type.Integer({ minimum: 1, maximum: most })), {
    limit: true,
    default: null,
    description: `MiB of ${of} from which on an alert warns; nothing of it is deleted. None by default.`,
  })

/** How much of each kind of data is kept, besides the days that its room keeps it for. */
export const diskSettings = {
  recordingsMib: budget('recordings'),
  eventsMib: budget('events'),
  requestsMib: budget('requests with their statements, lines of functions and messages of sockets'),
  historyMib: budget('row changes'),
  errorsMib: budget('exceptions'),
  databaseMib: watched('PostgreSQL, its log included,'),
  filesMib: watched('the files of storage'),
  backupsMib: setting(nullable(Type.Integer({ minimum: 1, maximum: most })), {
    limit: true,
    default: null,
    description:
      'MiB that backups and their log may take: after each backup the oldest are removed until they do, but never the newest ' +
      'nor the last that is known to be good; as many as [backup] keeps by default.',
  }),
  filesLimitMib: setting(nullable(Type.Integer({ minimum: 1, maximum: most })), {
    limit: true,
    default: null,
    description:
      'MiB of files from which on storage takes no more, looked at once a minute: uploads are answered as on a full disk. ' +
      'As many as there are by default.',
  }),
  eventDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 36_500 })), {
    default: null,
    description: 'Days for which events are kept, by the time they happened; for good by default.',
  }),
} as const

/** The values of `diskSettings`. */
export type DiskSettings = Values<typeof diskSettings>
