import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of advice. */
export const advisorError = catalogue({
  CLEW_ADVISOR_UNKNOWN: {
    status: 404,
    message: 'There is no such finding.',
    hint: 'Look again: it may have been fixed.',
  },
  CLEW_ADVISOR_TOO_MANY: {
    status: 409,
    message: 'Too many findings are ignored.',
    hint: 'Fix some of them, or ignore fewer: there may be 1,000.',
  },
})
