import { fileKey } from './fingerprint.ts'
import type { Report } from './model.ts'
import type { Rule } from './rules.ts'
import { sqlStateNames } from './sql-states.ts'

/** What a list shows of an issue. */
export interface Heading {
  readonly title: string
  /** Where it happens: the innermost own function and its file, else the page. */
  readonly culprit: string
}

const longestTitle = 300

/**
 * The heading of a report's issue: by its type and the first line of its message, or by the rule
 * that groups it. An error of PostgreSQL is named beside its code.
 */
export function headingOf({ exceptions }: Report, rule: Rule | null, url: string): Heading {
  const [first] = exceptions
  const line = (first?.message ?? '').split('\n', 1)[0] ?? ''
  const type = first?.type ?? 'Error'
  const named = [type, sqlStateNames.get(type)].filter(Boolean).join(' ')
  const title = rule?.name ?? (line === '' ? named : `${named}: ${line}`)
  const frames = exceptions.flatMap(({ frames }) => frames)
  const frame = frames.find(({ inApp }) => inApp) ?? frames[0]
  const file = frame?.file == null ? null : fileKey(frame.file)
  return {
    title: title.slice(0, longestTitle),
    culprit: file === null ? url.slice(0, longestTitle) : [frame?.function, file].filter(Boolean).join(' in '),
  }
}
