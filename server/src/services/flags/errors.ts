import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of feature flags in the console. */
export const flagsError = catalogue({
  CLEW_FLAGS_NOT_FOUND: {
    status: 404,
    message: 'There is no such flag.',
    hint: 'It may have been archived: reload the list.',
  },
  CLEW_FLAGS_NO_COHORT: {
    status: 404,
    message: 'There is no such cohort.',
    hint: 'It may have been deleted: reload the list.',
  },
  CLEW_FLAGS_KEY_TAKEN: {
    status: 409,
    message: 'Another flag has this key.',
    hint: 'Choose another key, or archive that flag.',
  },
  CLEW_FLAGS_CHANGED: {
    status: 409,
    message: 'The flag was changed meanwhile.',
    hint: 'Look at what it is now, and save again what you want of yours.',
  },
  CLEW_FLAGS_COHORT_CHANGED: {
    status: 409,
    message: 'The cohort was changed meanwhile.',
    hint: 'Look at what it is now, and save again what you want of yours.',
  },
  CLEW_FLAGS_DEFINITION: {
    status: 400,
    message: 'The flag cannot be evaluated as it is defined.',
    hint: 'Correct what the message names; nothing was stored.',
  },
  CLEW_FLAGS_TOO_MANY: {
    status: 409,
    message: 'There are as many as the settings allow.',
    hint: 'Archive some, or raise the limit in the settings of flags.',
  },
  CLEW_FLAGS_IN_USE: {
    status: 409,
    message: 'Other flags ask for it.',
    hint: 'Change the flags that the message names first.',
  },
})
