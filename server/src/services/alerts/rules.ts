import type { AlertsSettings } from './settings.ts'

/** What alerts are about, in the order in which they are shown. */
export const ruleIds = [
  'component',
  'error rate',
  'duration',
  'changes behind',
  'disk',
  'budget',
  'backup',
  'certificate',
  'failed jobs',
] as const
export type RuleId = (typeof ruleIds)[number]

/** What a value counts. */
export type RuleUnit = 'percent' | 'ms' | 'bytes' | 'days' | 'hours' | 'runs' | 'down'

/** When an alert begins and ends. */
export interface Rule {
  readonly id: RuleId
  readonly unit: RuleUnit
  /** Whether large values are bad, or small ones. */
  readonly bad: 'above' | 'below'
  /** The value, itself included, from which on it is bad. */
  readonly begins: number
  /** The value, itself included, from which on it is good: apart from `begins`, so that an alert does not flutter. */
  readonly ends: number
  /** How long it is bad before the alert begins, and good before it ends. */
  readonly forMs: number
  /** Whether each process has its own, or all have one. */
  readonly of: 'process' | 'instance'
}

const mib = 1024 ** 2
const hourMs = 3_600_000
/** Two looks that agree. */
const looks = 2

/** The rules that the settings ask for. */
export function planRules(settings: AlertsSettings): readonly Rule[] {
  const settledMs = (looks - 1) * settings.everySeconds * 1000
  const above = { bad: 'above', of: 'instance', forMs: settledMs } as const
  const below = { bad: 'below', of: 'instance', forMs: settledMs } as const
  const failing = settings.failedRuns
  return [
    ...asked(settings.downSeconds, (seconds) => ({
      ...{ ...above, id: 'component', unit: 'down', begins: 1, ends: 0, forMs: seconds * 1000, of: 'process' },
    })),
    ...asked(settings.errorPercentage, (share) => ({
      ...{ ...above, id: 'error rate', unit: 'percent', begins: share, ends: share * 0.8 },
    })),
    ...asked(settings.p95Ms, (ms) => ({ ...above, id: 'duration', unit: 'ms', begins: ms, ends: ms * 0.8 })),
    ...asked(settings.changesBehindMib, (size) => ({
      ...{ ...above, id: 'changes behind', unit: 'bytes', begins: size * mib, ends: size * mib * 0.5, of: 'process' },
    })),
    ...asked(settings.diskDays, (days) => ({ ...below, id: 'disk', unit: 'days', begins: days, ends: days * 1.5 })),
    ...asked(settings.budgetPercentage, (share) => ({
      ...{ ...above, id: 'budget', unit: 'percent', begins: share, ends: share * 0.95 },
    })),
    // A new instance has the time to make its first.
    ...asked(settings.backupHours, (hours) => ({
      ...{ ...above, id: 'backup', unit: 'hours', begins: hours, ends: hours * 0.9, forMs: hourMs },
    })),
    ...asked(settings.certificateDays, (days) => ({
      ...{ ...below, id: 'certificate', unit: 'days', begins: days, ends: days + 1 },
    })),
    ...asked(failing, (runs) => ({
      ...above,
      id: 'failed jobs',
      unit: 'runs',
      begins: runs,
      ends: runs - 1,
      forMs: 0,
    })),
  ]
}

const asked = (limit: number | null, rule: (limit: number) => Rule): readonly Rule[] =>
  limit === null ? [] : [rule(limit)]
