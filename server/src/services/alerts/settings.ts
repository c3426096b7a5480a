import Type from 'typebox'
import { address, nullable, setting, type Values } from '../../ground/settings/setting.ts'

const off = 'none where nothing is given'

/** When the team is told that the instance needs it. */
export const alertsSettings = {
  mails: setting(Type.Array(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$' })), {
    default: [],
    description: 'Addresses that are mailed when an alert begins, lasts or ends.',
  }),
  webhookUrl: setting(nullable(address(['https', 'http'])), {
    default: null,
    secret: true,
    description:
      'An address that is sent a JSON body then, with a `text` as chat services take it. Private hosts need an entry in ' +
      'allowed_hosts of [net].',
  }),
  everySeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 30,
    description: 'Seconds from one look at everything to the next.',
  }),
  readSeconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    limit: true,
    default: 10,
    description: 'Seconds that a look waits for what an alert is about; what takes longer changes nothing of it.',
  }),
  repeatHours: setting(Type.Integer({ minimum: 1, maximum: 720 }), {
    default: 24,
    description: 'Hours after which an alert that lasts is told once more.',
  }),
  windowMinutes: setting(Type.Integer({ minimum: 1, maximum: 1440 }), {
    default: 5,
    description: 'Minutes over which requests and runs of jobs are counted.',
  }),
  minRequests: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    default: 20,
    description: 'Requests within that time below which their errors and durations say nothing.',
  }),
  errorPercentage: setting(nullable(Type.Integer({ minimum: 1, maximum: 100 })), {
    default: 5,
    description: `Share of requests answered with 5xx at which an alert begins; ${off}.`,
  }),
  p95Ms: setting(nullable(Type.Integer({ minimum: 1, maximum: 3_600_000 })), {
    default: null,
    description: `95th percentile of the durations of requests at which an alert begins; ${off}.`,
  }),
  changesBehindMib: setting(nullable(Type.Integer({ minimum: 1, maximum: 1_073_741_824 })), {
    default: 256,
    description: `Log of PostgreSQL whose row changes are not stored yet at which an alert begins; ${off}.`,
  }),
  downSeconds: setting(nullable(Type.Integer({ minimum: 1, maximum: 86_400 })), {
    default: 60,
    description: `Seconds for which an engine is down, or nothing is stored, until an alert begins; ${off}.`,
  }),
  diskDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 3650 })), {
    default: 7,
    description: `Days until the disk is full at which an alert begins; ${off}.`,
  }),
  budgetPercentage: setting(nullable(Type.Integer({ minimum: 1, maximum: 1000 })), {
    default: 100,
    description: `Share of a budget of [disk] that PostgreSQL, files or backups take at which an alert begins; ${off}.`,
  }),
  backupHours: setting(nullable(Type.Integer({ minimum: 1, maximum: 87_600 })), {
    default: 50,
    description: `Age of the last verified backup at which an alert begins, where backups are made; ${off}.`,
  }),
  certificateDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 3650 })), {
    default: 14,
    description: `Days until the certificate ends at which an alert begins, where the process has one; ${off}.`,
  }),
  failedRuns: setting(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })), {
    default: 1,
    description: `Runs of scheduled jobs that failed at which an alert begins; ${off}.`,
  }),
} as const

/** The values of `alertsSettings`. */
export type AlertsSettings = Values<typeof alertsSettings>
