import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of what operators do with functions in the console. */
export const toolError = catalogue({
  CLEW_FUNCTIONS_NOT_SAVED_HERE: {
    status: 409,
    message: 'Files of functions are saved from the console in local mode only.',
    hint: 'Deploy the function: `clew functions deploy`.',
  },
  CLEW_FUNCTIONS_NO_SOURCE: {
    status: 404,
    message: 'The function has no such file in the project folder.',
    hint: 'It may have been renamed: reload the page.',
  },
  CLEW_FUNCTIONS_USER_NOT_FOUND: {
    status: 404,
    message: 'There is no such user.',
    hint: 'Name a user by e-mail address or id.',
  },
  CLEW_FUNCTIONS_NOT_REACHED: {
    status: 502,
    message: 'The function could not be called.',
    hint: 'The answer did not come in time, or broke off: its log may say why.',
  },
})
