import { type KeptKind, keptKinds } from '../../ground/model/service-tables.ts'

/** What takes space, in the order in which it is shown: what has a budget, and what has none. */
export const diskKinds = [...keptKinds, 'other analytics', 'database', 'files', 'spool', 'logs', 'backups'] as const
export type DiskKind = (typeof diskKinds)[number]

/** How much of a kind is kept. */
export interface KindLimits {
  readonly budgetBytes: number | null
  /** Days for which rows are kept; null for good. */
  readonly days: number | null
}

/** The limits of every kind that has some. */
export type Limits = Readonly<Record<KeptKind, KindLimits>>

/** Whether a kind has limits. */
export const isKept = (kind: DiskKind): kind is KeptKind => (keptKinds as readonly string[]).includes(kind)
