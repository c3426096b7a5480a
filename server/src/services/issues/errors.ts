import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's errors. */
export const issuesError = catalogue({
  CLEW_ISSUES_NOT_FOUND: {
    status: 404,
    message: 'There is no such issue.',
    hint: 'It was merged with another one, or not seen for retention_days of [issues].',
  },
  CLEW_ISSUES_NO_EXCEPTION: {
    status: 404,
    message: 'There is no such exception.',
    hint: 'Exceptions are kept for retention_days of [issues].',
  },
  CLEW_ISSUES_CURSOR: {
    status: 400,
    message: 'There is no such page.',
    hint: 'Send `next` of the page before as `before`, with that page’s filter and sort.',
  },
  CLEW_ISSUES_SOURCE_MAP: {
    status: 400,
    message: 'This is no source map.',
    hint: 'Send a source map of version 3, packed by gzip, within max_source_map_mib of [issues].',
  },
  CLEW_ISSUES_NO_RELEASE: {
    status: 404,
    message: 'There are no source maps of this release.',
    hint: '`clew sourcemaps list` has the releases.',
  },
  CLEW_ISSUES_BUSY: {
    status: 503,
    message: 'Too many source maps are being read.',
    hint: 'Send it again in a moment.',
  },
  CLEW_ISSUES_RULES_CHANGED: {
    status: 409,
    message: 'The rules were changed meanwhile.',
    hint: 'Look at what they are now, and change them again.',
  },
  CLEW_ISSUES_TOO_MANY_RULES: {
    status: 400,
    message: 'There are too many rules.',
    hint: 'Delete some, or raise max_rules of [issues].',
  },
})
