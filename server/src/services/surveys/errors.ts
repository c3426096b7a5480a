import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of surveys in the console. */
export const surveysError = catalogue({
  CLEW_SURVEYS_NOT_FOUND: {
    status: 404,
    message: 'There is no such survey.',
    hint: 'It may have been archived: reload the list.',
  },
  CLEW_SURVEYS_CHANGED: {
    status: 409,
    message: 'The survey was changed meanwhile.',
    hint: 'Look at what it is now, and save again what you want of yours.',
  },
  CLEW_SURVEYS_DEFINITION: {
    status: 400,
    message: 'The survey cannot be asked as it is defined.',
    hint: 'Correct what the message names; nothing was stored.',
  },
  CLEW_SURVEYS_TOO_MANY: {
    status: 409,
    message: 'There are as many surveys as the settings allow.',
    hint: 'Archive some, or raise max_surveys.',
  },
})
