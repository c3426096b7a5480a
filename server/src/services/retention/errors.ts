import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of legal holds in the console. */
export const retentionError = catalogue({
  CLEW_RETENTION_HOLD_NOT_FOUND: {
    status: 404,
    message: 'There is no such hold.',
    hint: 'Reload the list of holds.',
  },
  CLEW_RETENTION_HOLD_ENDED: {
    status: 409,
    message: 'The hold has ended already.',
    hint: 'Place another one if its data are still needed.',
  },
  CLEW_RETENTION_PERSON_NOT_FOUND: {
    status: 404,
    message: 'There is no such person.',
    hint: 'The person may have been erased, or joined with another: look for them among the people.',
  },
  CLEW_RETENTION_SPAN: {
    status: 400,
    message: 'The hold ends before it begins.',
    hint: 'Give a span whose end comes after its beginning, and an end of the hold that lies ahead.',
  },
  CLEW_RETENTION_TOO_MANY: {
    status: 409,
    message: 'There are as many open holds as the settings allow.',
    hint: 'End one, or raise `max_holds` of [retention].',
  },
})
