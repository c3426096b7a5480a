import { catalogue } from '../../ground/errors/catalogue.ts'

/** Errors of opening a spool. */
export const spoolError = catalogue({
  CLEW_SPOOL_UNUSABLE: {
    status: 500,
    message: 'The spool’s folder cannot be used.',
    hint: 'Make the data directory readable and writable for the user that Clew runs as, and see that its disk has room.',
  },
})
