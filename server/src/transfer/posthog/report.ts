import { type SourceKind, sourceKinds } from './kinds.ts'

/** Why rows were left out. */
interface RejectCount {
  readonly kind: SourceKind
  readonly reason: string
  count: number
  /** The first places, as `file:row`. */
  readonly examples: string[]
}

/** What an import came to. */
export interface PosthogReport {
  readonly imported: Record<SourceKind, number>
  /** Rows that an earlier run had done. */
  resumed: number
  /** Rows that earlier runs left out. */
  resumedRejects: number
  readonly rejects: RejectCount[]
  /** Where the rows that were left out are. */
  readonly rejectsPath: string
  /** Files that hold none of what is imported. */
  readonly unknown: string[]
  /** What was imported without a part of it. */
  readonly notes: string[]
}

const mostExamples = 3

export const startReport = (rejectsPath: string): PosthogReport => ({
  imported: { persons: 0, events: 0, cohorts: 0, flags: 0, recordings: 0 },
  resumed: 0,
  resumedRejects: 0,
  rejects: [],
  rejectsPath,
  unknown: [],
  notes: [],
})

/** Counts a row that was left out. */
export function countReject(
  report: PosthogReport,
  { kind, reason, where }: { readonly kind: SourceKind; readonly reason: string; readonly where: string },
): void {
  let found = report.rejects.find((each) => each.kind === kind && each.reason === reason)
  if (found === undefined) {
    found = { kind, reason, count: 0, examples: [] }
    report.rejects.push(found)
  }
  found.count += 1
  if (found.examples.length < mostExamples) found.examples.push(where)
}

/** What the reasons of the instance mean. */
const words: Readonly<Record<string, string>> = {
  no_json: 'not a JSON object',
  too_deep: 'nested too deep',
  no_uuid: 'without an id',
  no_time: 'without a time',
  no_event_name: 'without a name',
  no_distinct_id: 'without a distinct id',
  contradictory: 'about a person, and asking for none',
  too_large: 'too large',
  not_an_object: 'not an object',
}

/** `1 cohort`, `2 cohorts`. */
const countOf = (count: number, kind: SourceKind): string => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`
const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)

/** A report as lines for the terminal. */
export function renderPosthogReport(report: PosthogReport, isDryRun: boolean): readonly string[] {
  const { imported, resumed, resumedRejects, rejects, rejectsPath, unknown, notes } = report
  const counts = sourceKinds.filter((kind) => imported[kind] > 0).map((kind) => countOf(imported[kind], kind))
  return [
    `${isDryRun ? 'Would import' : 'Imported'} ${counts.length === 0 ? 'nothing' : counts.join(', ')}.`,
    ...(resumed > 0
      ? [`Earlier runs had done ${rowsText(resumed)}, and left out ${rowsText(resumedRejects)} of them.`]
      : []),
    ...rejects.map(
      ({ kind, reason, count, examples }) =>
        `Left out: ${count} of ${kind}, ${words[reason] ?? reason} (${examples.join(', ')}${count > examples.length ? ', …' : ''})`,
    ),
    ...(rejects.length + resumedRejects > 0 && !isDryRun ? [`The rows that were left out are in ${rejectsPath}`] : []),
    ...unknown.map((file) => `Not read: ${file} holds no persons, events, cohorts, flags or recordings.`),
    ...notes,
  ]
}
