const quotes = /['"`]/
/** What may name a module; all that is escaped may. */
const moduleName = /^(?:(?:\.{0,2}\/|[a-z][\w+.-]*:).*|[@#$~\w]\S*|.*\\.*)$/is

/**
 * Whether a source file names no module that it did not name before. Texts between any two quotes count, whatever they are in
 * the language: what is no module asks for a check too many, and none is missed.
 */
export function importsNothingNew(before: string, after: string): boolean {
  const known = new Set(before.split(quotes))
  return after.split(quotes).every((text) => known.has(text) || text.includes('\n') || !moduleName.test(text))
}
