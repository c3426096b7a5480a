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
  CLEW_ISSUES_TOO_MANY_RULES: {
    status: 400,
    message: 'There are too many rules.',
    hint: 'Delete some, or raise max_rules of [issues].',
  },
})
