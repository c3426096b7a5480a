import type { BackupSettings } from './settings.ts'

type KeepRules = Pick<BackupSettings, 'keepDaily' | 'keepWeekly' | 'keepMonthly'>

/** Ids sort by their time. */
export const idOf = (at: Date): string => at.toISOString().replaceAll(/[-:.]/g, '')

/** When a backup was begun, by its id. */
export function timeOfId(id: string): Date {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(id) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
}

/**
 * The backups that the rules keep: the last one of each of the latest days, weeks (from Monday) and months, in UTC, that
 * have one. The newest backup is always kept.
 */
export function planKept(ids: readonly string[], rules: KeepRules): ReadonlySet<string> {
  const newestFirst = [...ids].sort().reverse()
  const lastOf = (count: number, periodOf: (at: Date) => string): readonly string[] => {
    const kept = new Map<string, string>()
    for (const id of newestFirst) {
      const period = periodOf(timeOfId(id))
      if (!kept.has(period) && kept.size < count) kept.set(period, id)
    }
    return [...kept.values()]
  }
  return new Set([
    ...newestFirst.slice(0, 1),
    ...lastOf(rules.keepDaily, dayOf),
    ...lastOf(rules.keepWeekly, weekOf),
    ...lastOf(rules.keepMonthly, (at) => dayOf(at).slice(0, 7)),
  ])
}

/**
 * When the last of the backups that there are is gone at the latest, where backups go on to be made: the newest of them may
 * be the one of its day, week and month. Null where there is none.
 */
export function keptUntil(
  ids: readonly string[],
  { keepDaily, keepWeekly, keepMonthly, walDays }: KeepRules & Pick<BackupSettings, 'walDays'>,
): Date | null {
  const newest = [...ids].sort().at(-1)
  if (newest === undefined) return null
  const days = Math.max(keepDaily, keepWeekly * 7, keepMonthly * 31, walDays)
  return new Date(timeOfId(newest).getTime() + days * 86_400_000)
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The day that its week began with. */
const weekOf = (at: Date): string => dayOf(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * 86_400_000))
