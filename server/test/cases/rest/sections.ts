import type { RestCase } from './case.ts'

/** The sections of docs/protocols/rest.md that have cases, and what they are about. */
export const sections: ReadonlyMap<string, string> = new Map([
  ['1', 'Resources and methods'],
  ['2', 'Which error wins'],
  ['3', 'Query string'],
  ['3.1', 'Identifiers, quoting, whitespace'],
  ['3.2', 'Filters'],
  ['3.3', 'Logic trees'],
  ['3.4', 'JSON, composite and array paths'],
  ['3.5', 'Select'],
  ['3.6', 'Aggregates'],
  ['3.7', 'Order'],
  ['4', 'Ranges, counts, pagination'],
  ['5', 'Embedding: syntax'],
  ['5.1', 'Embedding: relationships'],
  ['5.2', 'Embedding: which relationship is meant'],
  ['5.3', 'Embedding: semantics'],
  ['6', 'Prefer'],
  ['7', 'Insert, upsert, PUT'],
  ['8', 'Update and delete'],
  ['9', 'Functions'],
  ['10', 'Media types'],
  ['11', 'Schemas and profiles'],
  ['12', 'Representation of values'],
  ['13', 'Authentication, roles, settings'],
  ['14', 'Errors'],
  ['15', 'Other headers'],
  ['16', 'OPTIONS and CORS'],
  ['19', 'Edge cases'],
])

/** The section that a case comes from, and its rule in words. */
export function ruleOf({ rule }: RestCase): { readonly section: string; readonly words: string } {
  const [number = '', ...words] = rule.split(' ')
  const section = sections.has(number) ? number : number.replace(/\.\d+$/, '')
  return { section, words: words.join(' ') }
}
