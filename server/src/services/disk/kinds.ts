import { type KeptKind, keptKinds } from '../../ground/model/service-tables.ts'

/** What takes space, in the order in which it is shown: what has a budget, and what has none. */
export const diskKinds = [
  ...keptKinds,
  'other analytics',
  'database',
  'files',
  'spool',
  'logs',
  'backups',
  'restore points',
] as const
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

/** Kinds that a clean-up deletes nothing of: above their budget an alert warns. */
const watchedKinds = ['database', 'files', 'backups'] as const

/** The budgets of kinds that are only watched, in bytes; null for none. */
export type WatchedBudgets = Readonly<Record<(typeof watchedKinds)[number], number | null>>

/** Whether a kind is only watched. */
export const isWatched = (kind: DiskKind): kind is keyof WatchedBudgets =>
  (watchedKinds as readonly string[]).includes(kind)
