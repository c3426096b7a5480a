import type { AnalyticsCase } from './case.ts'

/** The sections of docs/protocols/analytics.md that have cases, and what they are about. */
export const sections: ReadonlyMap<string, string> = new Map([
  ['1', 'Endpoints'],
  ['1.1', 'CORS'],
  ['2', 'Body encodings'],
  ['2.1', 'Envelopes'],
  ['2.2', 'Answers to captures'],
  ['2.3', 'Capture V1'],
  ['3', 'Event envelope'],
  ['3.1', 'Time'],
  ['3.2', 'Properties'],
  ['3.3', 'Event catalogue'],
  ['4', 'Persons'],
  ['4.1', 'Merging'],
  ['4.2', 'Properties and groups'],
  ['5.1', 'Flags: calls and answers'],
  ['5.2', 'Flags: evaluation'],
  ['5.3', 'Flags: local evaluation'],
  ['6.2', 'Recording messages'],
  ['6.3', 'Field compression'],
  ['6.4', 'Events of recordings'],
  ['7', 'Remote configuration'],
  ['8', 'Scripts'],
  ['9', 'Tracing headers'],
  ['10', 'Cookieless mode'],
  ['11', 'Consent'],
])

/** The section that a case comes from, and its rule in words. */
export function ruleOf({ rule }: AnalyticsCase): { readonly section: string; readonly words: string } {
  const [section = '', ...words] = rule.split(' ')
  return { section, words: words.join(' ') }
}
