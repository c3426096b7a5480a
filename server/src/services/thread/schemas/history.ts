import { type Static, Type } from 'typebox'
import { Change } from './change.ts'
import { Nullable, OffsetMs, Why } from './parts.ts'
import { PersonRef } from './person.ts'

/** What made a row's change. */
export const Cause = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('session'),
      requestId: Type.String(),
      method: Type.String(),
      path: Type.String(),
      sessionId: Type.String(),
      atMs: OffsetMs,
      hasRecording: Type.Boolean(),
      exact: Type.Boolean(),
      why: Why,
      person: Nullable(PersonRef, { description: 'Null: no user was signed in' }),
      personWhy: Why,
      role: Type.String(),
    }),
    Type.Object({
      kind: Type.Literal('request'),
      requestId: Type.String(),
      method: Type.String(),
      path: Type.String(),
      role: Type.String(),
      person: Nullable(PersonRef),
      personWhy: Why,
      foreign: Type.Boolean({ description: 'It carried the id of a session that it is not of' }),
      why: Why,
    }),
    Type.Object({
      kind: Type.Literal('operator', { description: 'An operator, in the console' }),
      requestId: Type.String(),
      operator: Type.String({ description: 'E-mail address' }),
      action: Type.String({ description: 'As the audit log names it' }),
      actionId: Type.String({ description: 'Of the entry in the audit log' }),
    }),
    Type.Object({
      kind: Type.Literal('job', { description: 'A run of a scheduled job' }),
      jobId: Type.String(),
      runId: Type.String(),
      name: Nullable(Type.String()),
    }),
    Type.Object({ kind: Type.Literal('sql', { description: 'No request: direct SQL, a migration' }) }),
  ],
  { $id: 'Cause' },
)

/** A row’s change and its cause. */
export const HistoryEntry = Type.Object({ change: Change, cause: Cause }, { $id: 'HistoryEntry' })

export const HistoryGap = Type.Object(
  {
    newerEntries: Type.Integer({ description: 'It stands after so many entries' }),
    from: Nullable(Type.String({ format: 'date-time', description: 'The last commit before it; null: not known' })),
    until: Nullable(Type.String({ format: 'date-time', description: 'Null: changes are still missing' })),
    reason: Type.String(),
  },
  { $id: 'HistoryGap', description: 'Changes of the row may be missing here: they were never read' },
)

/** A row’s changes, newest first. */
export const RowHistory = Type.Object(
  {
    entries: Type.Array(HistoryEntry),
    gaps: Type.Array(HistoryGap, { description: 'Newest first' }),
    notRecorded: Nullable(Type.String({ description: 'Why row changes are not recorded here; null where they are' })),
  },
  { $id: 'RowHistory' },
)

/** The changes of a table's rows, newest first. */
export const TableHistory = Type.Object(
  {
    entries: Type.Array(HistoryEntry),
    next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
    notRecorded: Nullable(Type.String({ description: 'Why row changes are not recorded here; null where they are' })),
  },
  { $id: 'TableHistory' },
)

export type Cause = Static<typeof Cause>
export type HistoryEntry = Static<typeof HistoryEntry>
export type HistoryGap = Static<typeof HistoryGap>
export type RowHistory = Static<typeof RowHistory>
export type TableHistory = Static<typeof TableHistory>
