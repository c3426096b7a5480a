import type { VersionRecord } from './version-record.ts'

/** This program: its version, its engine, and the migrations that it knows. */
export type OwnVersion = Omit<VersionRecord, 'upgrade'>

/** What a start does about the version of the data. */
export type UpgradePlan =
  /** The data are of this version, or there are none yet. */
  | { readonly kind: 'start' }
  /** The data are older: they are kept, then brought to this version. */
  | { readonly kind: 'upgrade'; readonly from: string | null }
  /** An upgrade has begun that did not end; what was before is kept already. */
  | { readonly kind: 'continue'; readonly from: string | null; readonly restorePoint: string | null }
  /** A newer version has written the data. */
  | {
      readonly kind: 'refuse'
      readonly version: string
      /** Migrations that this program does not know; none where only the engine is newer. */
      readonly unknown: readonly string[]
      /** Leads back to an earlier version, where its upgrade did not end. */
      readonly restorePoint: string | null
    }

/**
 * Decides what a start does.
 *
 * @param record  null where the data directory has none
 * @param hasData whether there is anything to keep
 */
export function planUpgrade(own: OwnVersion, record: VersionRecord | null, hasData: boolean): UpgradePlan {
  if (!hasData) return { kind: 'start' }
  if (record === null) return { kind: 'upgrade', from: null }
  const known = new Set(own.migrations)
  const unknown = record.migrations.filter((name) => !known.has(name))
  const engine = compareVersions(record.clickhouse, own.clickhouse)
  // Parts that a newer ClickHouse wrote may not be readable by an older one.
  if (unknown.length > 0 || engine > 0) {
    const { version, upgrade } = record
    return { kind: 'refuse', version, unknown, restorePoint: upgrade?.restorePoint ?? null }
  }
  if (record.upgrade !== null) return { kind: 'continue', ...record.upgrade }
  const applied = new Set(record.migrations)
  const isOlder =
    engine < 0 || compareVersions(record.version, own.version) < 0 || own.migrations.some((name) => !applied.has(name))
  return isOlder ? { kind: 'upgrade', from: record.version } : { kind: 'start' }
}

/** Compares versions by their numbers; what follows a dash is not looked at. */
export function compareVersions(one: string, other: string): number {
  const numbers = (text: string): readonly number[] => (text.split('-')[0] ?? '').split('.').map(Number)
  const [left, right] = [numbers(one), numbers(other)]
  const at = [0, 1, 2].find((index) => left[index] !== right[index])
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}
